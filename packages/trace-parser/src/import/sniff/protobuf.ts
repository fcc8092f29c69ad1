/**
 * Protobufs have no mark of their own. Which message some bytes are is told by the first fields, down to the first text: serializers write
 * fields in the order of their numbers.
 */

export type Message =
  | 'RunMetadata'
  | 'StepStats'
  | 'XSpace'
  | 'OpLog'
  | 'GraphDef'
  | 'MetaGraphDef'
  | 'SavedModel'
  | 'Chakra execution trace'
  | 'unknown'

/** Tags of length-delimited fields 1 to 4. */
const [FIELD_1, FIELD_2, FIELD_3, FIELD_4] = [0x0a, 0x12, 0x1a, 0x22]
/** Tags of the varint fields 1 and 2. */
const [NUMBER_1, NUMBER_2] = [0x08, 0x10]

/** Takes tags, lengths and texts from the begin of some bytes; past their end, and where something does not fit, nothing is found. */
class Cursor {
  at = 0
  constructor(private readonly bytes: Uint8Array) {}

  /** Whether the next byte is this one, which is then passed. */
  takes(byte: number): boolean {
    if (this.bytes[this.at] !== byte) return false
    this.at++
    return true
  }

  peek(): number | undefined {
    return this.bytes[this.at]
  }

  /** A varint of at most five bytes; -1 for none. */
  varint(): number {
    let value = 0
    for (let i = 0; i < 5; i++) {
      const byte = this.bytes[this.at]
      if (byte === undefined) return -1
      this.at++
      value += (byte & 0x7f) * 128 ** i
      if (byte < 0x80) return value
    }
    return -1
  }

  /** Passes the tag and the length of a message. */
  enters(tag: number): boolean {
    return this.takes(tag) && this.varint() >= 0
  }

  /** The text of a field; undefined where there is none or it holds control characters. */
  text(tag: number): string | undefined {
    if (!this.takes(tag)) return undefined
    const length = this.varint()
    if (length < 0 || this.at + length > this.bytes.length) return undefined
    const text = new TextDecoder().decode(this.bytes.subarray(this.at, this.at + length))
    this.at += length
    return Array.from(text).every(character => character >= ' ' && character !== '\ufffd') ? text : undefined
  }
}

/** The message that some bytes, of which these are the first, are by all appearance. */
export function sniffProtobuf(bytes: Uint8Array): Message {
  const first = new Cursor(bytes)
  if (first.enters(FIELD_1)) return sniffNested(bytes, first)
  // A step without StepStats, but with partition graphs, functions' graphs or costs.
  const other = new Cursor(bytes)
  if (other.enters(FIELD_3) && other.enters(FIELD_1) && other.text(FIELD_1) !== undefined && other.text(FIELD_2) !== undefined)
    return 'RunMetadata'
  const model = new Cursor(bytes)
  if (model.takes(NUMBER_1) && model.varint() === 1 && model.enters(FIELD_2)) return 'SavedModel'
  return isChakra(bytes) ? 'Chakra execution trace' : 'unknown'
}

/** What begins with a message in field 1. */
function sniffNested(bytes: Uint8Array, within: Cursor): Message {
  const start = within.at
  if (within.takes(NUMBER_1)) return within.varint() >= 0 && within.text(FIELD_2) !== undefined ? 'XSpace' : 'unknown'
  if (within.peek() === FIELD_2) {
    if (within.text(FIELD_2)?.startsWith('/')) return 'XSpace'
    // The operations that a graph uses, by name.
    within.at = start
    return within.enters(FIELD_2) && within.enters(FIELD_1) && within.text(FIELD_1) !== undefined ? 'MetaGraphDef' : 'unknown'
  }
  const name = within.text(FIELD_1)
  if (name !== undefined) {
    if (name.startsWith('/')) return 'StepStats'
    const next = within.peek()
    if (next === FIELD_2 && within.text(FIELD_2) !== undefined) return 'GraphDef'
    if (next === NUMBER_2 || next === FIELD_3 || next === FIELD_4) return 'OpLog'
  }
  within.at = start
  if (within.enters(FIELD_1) && within.text(FIELD_1)?.startsWith('/')) return 'RunMetadata'
  return isChakra(bytes) ? 'Chakra execution trace' : 'unknown'
}

/** Messages with their lengths in front: metadata with the version, then nodes of a number and a name. */
function isChakra(bytes: Uint8Array): boolean {
  const cursor = new Cursor(bytes)
  const length = cursor.varint()
  if (length === 0)
    return cursor.varint() > 0 && cursor.takes(NUMBER_1) && cursor.varint() >= 0 && cursor.text(FIELD_2) !== undefined
  const version = cursor.text(FIELD_1)
  return length > 0 && version !== undefined && /^\d+(?:\.\d+)*$/.test(version)
}
