/**
 * Protobuf without a schema: a mutation goes down from message to message, changes one field and keeps the lengths around it right, so that it
 * reaches what a reader does with the values.
 *
 * @typedef {{ number: number, wire: number, value: bigint | Uint8Array }} Field
 */

const [VARINT, FIXED64, BYTES, FIXED32] = [0, 1, 2, 5]
const HIGHEST_NUMBER = 1000
/** One in so many times a message is changed itself instead of one of its fields. */
const STOPS = 8

/** @param {Uint8Array} bytes @returns {Field[]} none when they are no message */
function parse(bytes) {
  /** @type {Field[]} */
  const fields = []
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; shift < 70n && at < bytes.length; shift += 7n) {
      const byte = bytes[at++]
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
    return -1n
  }
  while (at < bytes.length) {
    const tag = varint()
    const number = Number(tag >> 3n)
    const wire = Number(tag & 7n)
    if (number < 1 || number > HIGHEST_NUMBER) return []
    if (wire === VARINT) {
      const value = varint()
      if (value < 0n) return []
      fields.push({ number, wire, value })
      continue
    }
    const length = wire === BYTES ? Number(varint()) : wire === FIXED64 ? 8 : wire === FIXED32 ? 4 : -1
    if (length < 0 || at + length > bytes.length) return []
    fields.push({ number, wire, value: bytes.subarray(at, at + length) })
    at += length
  }
  return fields
}

/** @param {Field[]} fields */
function encode(fields) {
  return Buffer.concat(
    fields.flatMap(({ number, wire, value }) => {
      const tag = varintBytes(BigInt(number * 8 + wire))
      if (typeof value === 'bigint') return [tag, varintBytes(value)]
      return wire === BYTES ? [tag, varintBytes(BigInt(value.length)), value] : [tag, value]
    })
  )
}

/** @param {bigint} value of 64 bits, unsigned */
function varintBytes(value) {
  const bytes = []
  for (; value > 0x7fn; value >>= 7n) bytes.push(Number(value & 0x7fn) | 0x80)
  bytes.push(Number(value))
  return Uint8Array.from(bytes)
}

const NUMBERS = [0n, 1n, 0x7fn, 1n << 31n, (1n << 53n) + 1n, (1n << 63n) - 1n, 1n << 63n, (1n << 64n) - 1n, 1_500_000_000_000_000n]

/**
 * @typedef {object} Given
 * @property {number} pick
 * @property {readonly string[]} texts
 * @property {Uint8Array} whole
 */

/**
 * What is done to a field.
 *
 * @type {Record<string, (fields: Field[], i: number, given: Given) => void>}
 */
const changes = {
  drop: (fields, i) => fields.splice(i, 1),
  repeat: (fields, i, { pick }) => fields.splice(i, 0, ...new Array((pick % 40) + 1).fill(fields[i])),
  swap: (fields, i, { pick }) => {
    const other = pick % fields.length
    ;[fields[i], fields[other]] = [fields[other], fields[i]]
  },
  number: (fields, i, { pick }) => {
    fields[i] = { number: fields[i].number, wire: VARINT, value: NUMBERS[pick % NUMBERS.length] }
  },
  near: (fields, i, { pick }) => {
    const { value } = fields[i]
    if (typeof value === 'bigint') fields[i] = { ...fields[i], value: BigInt.asUintN(64, value + BigInt((pick % 20_001) - 10_000)) }
  },
  text: (fields, i, { pick, texts }) => {
    fields[i] = { number: fields[i].number, wire: BYTES, value: new TextEncoder().encode(texts[pick % texts.length]) }
  },
  renumber: (fields, i, { pick }) => {
    fields[i] = { ...fields[i], number: (pick % 20) + 1 }
  },
  empty: (fields, i) => {
    fields[i] = { number: fields[i].number, wire: BYTES, value: new Uint8Array() }
  },
  nest: (fields, i, { pick }) => {
    for (let depth = pick % 200; depth > 0; depth--)
      fields[i] = { number: fields[i].number, wire: BYTES, value: encode([fields[i]]) }
  },
  /** A field from anywhere in the file. */
  move: (fields, i, { pick, whole }) => {
    const [moved] = changeField(whole, walk(pick), () => undefined)
    if (moved !== undefined) fields[i] = moved
  }
}
export const protobufChanges = Object.keys(changes)

/** Numbers that only their start decides, for a way down. @param {number} start */
function walk(start) {
  let state = start
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 8
  }
}

/**
 * @param {Uint8Array} bytes
 * @param {() => number} next
 * @param {(fields: Field[], i: number) => void} change
 * @returns {[Field | undefined, Uint8Array]} the field where the way ended, and the bytes with the change
 */
function changeField(bytes, next, change) {
  const fields = parse(bytes)
  if (fields.length === 0) return [undefined, bytes]
  const i = next() % fields.length
  const field = fields[i]
  if (typeof field.value !== 'bigint' && field.wire === BYTES && next() % STOPS > 0) {
    const [within, value] = changeField(field.value, next, change)
    if (within !== undefined) {
      fields[i] = { ...field, value }
      return [within, encode(fields)]
    }
  }
  change(fields, i)
  return [field, encode(fields)]
}

/**
 * @param {Uint8Array} bytes
 * @param {ReadonlyArray<{ change: string, at: number, pick: number }>} mutations
 * @param {readonly string[]} texts
 */
export function mutateProtobuf(bytes, mutations, texts) {
  return mutations.reduce(
    (whole, { change, at, pick }) =>
      changeField(whole, walk(at), (fields, i) => changes[change](fields, i, { pick, texts, whole }))[1],
    bytes
  )
}
