import fc from 'fast-check'
import { joinRecords, splitRecords } from '../lib/tfRecords.mjs'
import { containers } from './containers.mjs'
import { mutateProtobuf, protobufChanges } from './protobufTree.mjs'
import { hostileTexts, mutateJson, mutateLines, textChanges } from './textMutations.mjs'

/**
 * How an input is made of a seed; plain JSON, so that it can be passed on and kept.
 *
 * @typedef {{ change: string, at: number, pick: number }} Mutation
 * @typedef {object} Plan
 * @property {string} seed
 * @property {Mutation[]} structure of the content, by its structure
 * @property {Mutation[]} content of its bytes
 * @property {string} form what it is packed in
 * @property {Mutation[]} packed of the bytes then
 * @property {boolean} among whether sound steps are read with it
 */

/** @type {Record<string, (bytes: Uint8Array, at: number, pick: number) => Uint8Array>} */
const byteChange = {
  flip: (bytes, at, pick) => {
    const copy = Uint8Array.from(bytes)
    if (copy.length > 0) copy[at % copy.length] ^= (pick % 255) + 1
    return copy
  },
  cut: (bytes, at) => bytes.subarray(0, at % (bytes.length + 1)),
  drop: (bytes, at, pick) => spliced(bytes, at, pick % 100, new Uint8Array()),
  repeat: (bytes, at, pick) => {
    const from = at % (bytes.length + 1)
    const part = bytes.subarray(from, from + (pick % 200))
    return spliced(bytes, at, 0, Buffer.concat(new Array((pick % 7) + 1).fill(part)))
  },
  insert: (bytes, at, pick) => spliced(bytes, at, 0, new TextEncoder().encode(hostileTexts[pick % hostileTexts.length])),
  fill: (bytes, at, pick) => {
    const copy = Uint8Array.from(bytes)
    const from = at % (copy.length + 1)
    return copy.fill([0, 0xff, 0x80, 0x7f, 0x0a][pick % 5], from, from + (pick % 16))
  }
}

/** @param {Uint8Array} bytes @param {number} at @param {number} dropped @param {Uint8Array} inserted */
function spliced(bytes, at, dropped, inserted) {
  const from = at % (bytes.length + 1)
  return Buffer.concat([bytes.subarray(0, from), inserted, bytes.subarray(from + dropped)])
}

/** @param {readonly string[]} changes @param {number} maxLength */
const mutations = (changes, maxLength) =>
  fc.array(fc.record({ change: fc.constantFrom(...changes), at: fc.nat(0x7fffffff), pick: fc.nat(0x7fffffff) }), {
    minLength: 1,
    maxLength
  })
/** @type {fc.Arbitrary<Mutation[]>} */
const none = fc.constant([])

/**
 * Inputs made of seeds: most mutated in one way, in structure or in bytes, within or without a container; some in all.
 *
 * @param {Record<string, import('./seeds.mjs').Seed>} seeds
 * @returns {fc.Arbitrary<Plan>}
 */
export function plans(seeds) {
  return fc.oneof(...Object.entries(seeds).map(([seed, { structure }]) => plansOf(seed, structure)))
}

/** @param {string} seed @param {import('./seeds.mjs').Seed['structure']} kind */
function plansOf(seed, kind) {
  const structure = mutations(kind === 'protobuf' || kind === 'events' ? protobufChanges : textChanges, 4)
  const bytes = mutations(Object.keys(byteChange), 6)
  const anyForm = fc.constantFrom(...Object.keys(containers))
  const plain = fc.constant('plain')
  /** @param {fc.Arbitrary<string>} form @param {Partial<Record<'structure' | 'content' | 'packed', fc.Arbitrary<Mutation[]>>>} parts */
  const made = (form, parts) =>
    fc.record({ seed: fc.constant(seed), structure: none, content: none, packed: none, form, among: fc.boolean(), ...parts })
  return fc.oneof(
    { weight: 5, arbitrary: made(plain, { structure }) },
    { weight: 3, arbitrary: made(plain, { content: bytes }) },
    { weight: 1, arbitrary: made(anyForm, { structure }) },
    { weight: 1, arbitrary: made(anyForm, { packed: bytes }) },
    { weight: 1, arbitrary: made(anyForm, { structure, content: bytes, packed: bytes }) }
  )
}

/**
 * @param {Plan} plan
 * @param {Record<string, import('./seeds.mjs').Seed>} seeds
 * @returns {{ bytes: Uint8Array, unpackedBytes: number, companions: Uint8Array[] }}
 */
export function makeInput({ seed, structure, content, form, packed, among }, seeds) {
  const { bytes, structure: kind, companions } = seeds[seed]
  const inner = changed(structure.length > 0 ? restructured(kind, bytes, structure) : bytes, content)
  const entries = /** @type {Array<[string, Uint8Array]>} */ (
    [inner, ...(among ? companions : [])].map((one, i) => [`steps/step_${i}`, one])
  )
  const isArchive = form !== 'plain' && form !== 'gzip'
  return {
    bytes: changed(containers[form](entries), packed),
    unpackedBytes: entries.reduce((sum, [, one]) => sum + one.length, 0),
    companions: among && !isArchive ? companions : []
  }
}

/** @param {import('./seeds.mjs').Seed['structure']} kind @param {Uint8Array} bytes @param {Mutation[]} structure */
function restructured(kind, bytes, structure) {
  if (kind === 'json') return mutateJson(bytes, structure)
  if (kind === 'text') return mutateLines(bytes, structure)
  if (kind === 'protobuf') return mutateProtobuf(bytes, structure, hostileTexts)
  const records = splitRecords(bytes)
  const i = structure[0].pick % records.length
  records[i] = mutateProtobuf(records[i], structure, hostileTexts)
  return joinRecords(records)
}

/** @param {Uint8Array} bytes @param {Mutation[]} mutations */
function changed(bytes, mutations) {
  return mutations.reduce((all, { change, at, pick }) => byteChange[change](all, at, pick), bytes)
}
