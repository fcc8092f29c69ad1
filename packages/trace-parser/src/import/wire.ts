import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'
import { TraceError } from '../rawStep.ts'
import { short } from '../text.ts'

/** A message's fields of known wire type, by field number. Fields beyond it may be of any type and are skipped. */
interface MessageShape {
  message: string
  wireTypes: ReadonlyMap<number, WireType>
}

/** Shape of a message from the numbers of its varint and its length-delimited fields. */
export function shape(message: string, varints: readonly number[], lengthDelimited: readonly number[]): MessageShape {
  const wireTypes = new Map<number, WireType>()
  for (const field of varints) wireTypes.set(field, WireType.Varint)
  for (const field of lengthDelimited) wireTypes.set(field, WireType.LengthDelimited)
  return { message, wireTypes }
}

/** Tag of a length-delimited field, as it stands in the file. */
export const lengthTag = (field: number) => field * 8 + WireType.LengthDelimited
/** Tag of a varint field. */
export const varintTag = (field: number) => field * 8 + WireType.Varint

/** What the bytes are to be, for messages. */
interface Subject {
  message: string
  /** What writes such bytes. */
  writer: string
  /** Of the bytes in their file. */
  offset: number
}

const RUN_METADATA: Subject = {
  message: 'a RunMetadata protobuf',
  writer: 'tf.compat.v1.RunMetadata().SerializeToString()',
  offset: 0
}

const TWO_63 = 2 ** 63

/**
 * A reader of protobuf's wire format (https://protobuf.dev/programming-guides/encoding/) that knows where it stands: what does not
 * fit is refused with the file's name and the byte offset. Messages are read in place, by their end, without copies.
 */
export class Wire {
  private readonly reader: BinaryReader
  private readonly bytes: Uint8Array
  private readonly name: string
  private readonly subject: Subject

  constructor(name: string, bytes: Uint8Array, subject: Subject = RUN_METADATA) {
    this.name = name
    this.bytes = bytes
    this.subject = subject
    this.reader = new BinaryReader(bytes)
  }

  get position(): number {
    return this.reader.pos
  }

  get length(): number {
    return this.bytes.length
  }

  /** @throws TraceError always: one line with the file, the offset and what is wrong */
  fail(found: string, offset = this.reader.pos): never {
    const { message, writer, offset: before } = this.subject
    const [at, length] = [before + Math.min(offset, this.bytes.length), before + this.bytes.length]
    throw new TraceError(
      `${short(this.name)}: not ${message}, or cut off: ${found} at byte ${at} of ${length}; expected what ${writer} wrote`
    )
  }

  /** The next tag within a message that ends at `end`. */
  tag(end: number): number {
    const at = this.reader.pos
    const first = this.bytes[at]
    let tag = first
    if (first < 0x80) this.reader.pos = at + 1
    else {
      try {
        const [field, type] = this.reader.tag()
        tag = field * 8 + type
      } catch {
        this.fail('an impossible field tag', at)
      }
    }
    if (tag < 8) this.fail('field number 0', at)
    if (this.reader.pos > end) this.fail('a field tag that runs past its message', at)
    return tag
  }

  /** Reads the length of a length-delimited field and returns the position where it ends. */
  end(parentEnd: number): number {
    const at = this.reader.pos
    const length = this.uint32(at)
    const end = this.reader.pos + length
    if (end > parentEnd) this.fail(`a field of ${length} bytes where ${Math.max(0, parentEnd - this.reader.pos)} are left`, at)
    return end
  }

  /** Called when a message's fields are read: they must end exactly where it ends. */
  finish(message: string, end: number): void {
    if (this.reader.pos !== end) this.fail(`a field that runs past the end of its ${message}`)
  }

  /** A UTF-8 string; what is not UTF-8 becomes U+FFFD. */
  string(parentEnd: number): string {
    const at = this.reader.pos
    this.end(parentEnd)
    this.reader.pos = at
    return this.reader.string(false)
  }

  /** Whether the bytes up to `end` are exactly this ASCII text; does not move. */
  matches(text: string, end: number): boolean {
    const at = this.reader.pos
    if (end - at !== text.length) return false
    for (let i = 0; i < text.length; i++) if (this.bytes[at + i] !== text.charCodeAt(i)) return false
    return true
  }

  /** Goes to a position that `end` returned. */
  seek(position: number): void {
    this.reader.pos = position
  }

  /**
   * A signed 64-bit varint as a number: exact within ±2^53, else the nearest double (callers drop those).
   */
  int64(end: number): number {
    const bytes = this.bytes
    let at = this.reader.pos
    const start = at
    let value = 0
    let scale = 1
    for (let i = 0; i < 9; i++) {
      if (at >= end) this.fail('a number that is cut off', start)
      const byte = bytes[at++]
      value += (byte & 0x7f) * scale
      if (byte < 0x80) {
        this.reader.pos = at
        return value >= TWO_63 ? value - 2 * TWO_63 : value
      }
      scale *= 128
    }
    // Ten bytes: a negative number, whose low digits doubles would lose.
    if (at >= end || bytes[at] > 1) this.fail('a number of more than 64 bits', start)
    return Number(this.reader.int64())
  }

  /** Skips a field that is not needed; refuses groups, impossible wire types and known fields of the wrong type. */
  skip(tag: number, within: MessageShape, end: number): void {
    const at = this.reader.pos
    const field = Math.floor(tag / 8)
    const type = tag & 7
    const expected = within.wireTypes.get(field)
    if (expected !== undefined && expected !== type) {
      this.fail(`field ${field} of ${within.message} with wire type ${type} instead of ${expected}`, at)
    }
    switch (type) {
      case WireType.Varint:
        this.int64(end)
        return
      case WireType.Bit64:
        this.reader.pos += 8
        break
      case WireType.LengthDelimited:
        this.reader.pos = this.end(end)
        break
      case WireType.Bit32:
        this.reader.pos += 4
        break
      default:
        this.fail(`field ${field} of ${within.message} with wire type ${type}`, at)
    }
    if (this.reader.pos > end) this.fail(`field ${field} of ${within.message}, which runs past its end`, at)
  }

  private uint32(at: number): number {
    const first = this.bytes[at]
    if (first < 0x80) {
      this.reader.pos = at + 1
      return first
    }
    const value = this.int64(this.bytes.length)
    if (value < 0 || value > 0xffffffff) this.fail('an impossible length', at)
    return value
  }
}
