import { TraceError } from '../rawStep.ts'
import { short } from '../text.ts'

/** Deeper nesting is no trace: the deepest known ones have 8 levels. */
const DEEPEST = 100
/** One event with all its arguments. */
const LARGEST_ELEMENT_BYTES = 16 * 1024 * 1024

enum Byte {
  tab = 0x09,
  newline = 0x0a,
  return = 0x0d,
  space = 0x20,
  quote = 0x22,
  comma = 0x2c,
  colon = 0x3a,
  openList = 0x5b,
  backslash = 0x5c,
  closeList = 0x5d,
  openObject = 0x7b,
  closeObject = 0x7d
}

type Place = 'start' | 'key' | 'colon' | 'value' | 'event' | 'after-event' | 'after-value' | 'end'
type Use = 'key' | 'value' | 'event' | 'nothing'

interface ElementHandlers {
  event(value: unknown, offset: number): void
  /** A field of the document beside its events; only those that `wants` asks for. */
  field(key: string, value: unknown, offset: number): void
  wants(key: string): boolean
}

/**
 * Splits a Trace Event Format document, `[event, …]` or `{"traceEvents": [event, …], …}`, into its elements as bytes come, and parses each by
 * itself: a document may be larger than any string. As the format allows, what closes the document may be missing, and a comma may stand behind the
 * last event.
 */
export class JsonElements {
  private place: Place = 'start'
  private isObject = false
  private key = ''
  /** Bytes of all chunks before the current one. */
  private before = 0

  // The element under way.
  private use: Use | undefined
  private depth = 0
  private inString = false
  private escaped = false
  private isPrimitive = false
  private pieces: Uint8Array[] = []
  private gathered = 0
  private startOffset = 0
  private readonly decoder = new TextDecoder()

  constructor(
    private readonly name: string,
    private readonly handlers: ElementHandlers
  ) {}

  /** @throws TraceError with the offset of what does not fit */
  push(chunk: Uint8Array): void {
    let at = 0
    while (at < chunk.length) at = this.use === undefined ? this.between(chunk, at) : this.within(chunk, at)
    this.before += chunk.length
  }

  /** @throws TraceError when the document ends within an element */
  end(): void {
    if (this.use !== undefined && this.isPrimitive) this.complete(new Uint8Array(0), 0, 0)
    if (this.use !== undefined) this.fail(`cut off within what begins at byte ${this.startOffset}`, this.before)
    if (this.place === 'start' || this.place === 'key' || this.place === 'colon' || this.place === 'value') {
      this.fail('cut off', this.before)
    }
  }

  fail(found: string, offset: number): never {
    throw new TraceError(
      `${short(this.name)}: ${found} at byte ${offset}; expected a timeline in the Trace Event Format (JSON), whole or without its closing brackets`
    )
  }

  /** Takes one byte between elements. Returns the next position. */
  private between(chunk: Uint8Array, at: number): number {
    const byte = chunk[at]
    if (byte === Byte.space || byte === Byte.newline || byte === Byte.return || byte === Byte.tab) return at + 1
    switch (this.place) {
      case 'start':
        // A byte order mark.
        if (byte === 0xef || byte === 0xbb || byte === 0xbf) return at + 1
        if (byte !== Byte.openList && byte !== Byte.openObject) this.unexpected(byte, at)
        this.isObject = byte === Byte.openObject
        this.place = this.isObject ? 'key' : 'event'
        return at + 1
      case 'key':
        if (byte === Byte.closeObject) {
          this.place = 'end'
          return at + 1
        }
        if (byte !== Byte.quote) this.unexpected(byte, at)
        return this.begin('key', chunk, at)
      case 'colon':
        if (byte !== Byte.colon) this.unexpected(byte, at)
        this.place = 'value'
        return at + 1
      case 'value':
        if (this.key === 'traceEvents' && byte === Byte.openList) {
          this.place = 'event'
          return at + 1
        }
        return this.begin(this.handlers.wants(this.key) ? 'value' : 'nothing', chunk, at)
      case 'event':
        if (byte === Byte.closeList) return this.closeEvents(at)
        if (byte === Byte.comma) this.unexpected(byte, at)
        return this.begin('event', chunk, at)
      case 'after-event':
        if (byte === Byte.closeList) return this.closeEvents(at)
        if (byte !== Byte.comma) this.unexpected(byte, at)
        this.place = 'event'
        return at + 1
      case 'after-value':
        if (byte !== Byte.comma && byte !== Byte.closeObject) this.unexpected(byte, at)
        this.place = byte === Byte.comma ? 'key' : 'end'
        return at + 1
      default:
        return this.unexpected(byte, at)
    }
  }

  private closeEvents(at: number): number {
    this.place = this.isObject ? 'after-value' : 'end'
    return at + 1
  }

  private unexpected(byte: number, at: number): never {
    const shown =
      byte > Byte.space && byte < 0x7f ? `"${String.fromCharCode(byte)}"` : `byte 0x${byte.toString(16).padStart(2, '0')}`
    this.fail(`unexpected ${shown}`, this.before + at)
  }

  private begin(use: Use, chunk: Uint8Array, at: number): number {
    const byte = chunk[at]
    if (byte === Byte.closeList || byte === Byte.closeObject || byte === Byte.colon || byte === Byte.comma)
      this.unexpected(byte, at)
    this.use = use
    this.depth = 0
    this.inString = false
    this.escaped = false
    this.isPrimitive = byte !== Byte.quote && byte !== Byte.openList && byte !== Byte.openObject
    this.pieces = []
    this.gathered = 0
    this.startOffset = this.before + at
    return at
  }

  /** Goes on within an element until it or the chunk ends. Returns the next position. */
  private within(chunk: Uint8Array, from: number): number {
    if (this.isPrimitive) return this.withinPrimitive(chunk, from)
    // Every byte of a document passes here: locals are what makes that fast.
    let { depth, inString, escaped } = this
    const { length } = chunk
    for (let at = from; at < length; at++) {
      const byte = chunk[at]
      if (inString) {
        if (escaped) escaped = false
        else if (byte === Byte.backslash) escaped = true
        else if (byte === Byte.quote) {
          inString = false
          if (depth === 0) return this.complete(chunk, from, at + 1)
        }
      } else if (byte === Byte.quote) inString = true
      else if (byte === Byte.openObject || byte === Byte.openList) {
        if (++depth > DEEPEST) this.fail(`more than ${DEEPEST} levels of nesting`, this.before + at)
      } else if ((byte === Byte.closeObject || byte === Byte.closeList) && --depth === 0) {
        return this.complete(chunk, from, at + 1)
      }
    }
    this.depth = depth
    this.inString = inString
    this.escaped = escaped
    this.gather(chunk.subarray(from))
    return length
  }

  private withinPrimitive(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at++) if (isDelimiter(chunk[at])) return this.complete(chunk, from, at)
    this.gather(chunk.subarray(from))
    return chunk.length
  }

  private gather(piece: Uint8Array): void {
    if (this.use === 'nothing') return
    this.gathered += piece.length
    if (this.gathered > LARGEST_ELEMENT_BYTES) this.fail(`an element of more than ${LARGEST_ELEMENT_BYTES} bytes`, this.startOffset)
    // Chunks may be reused by their source.
    this.pieces.push(piece.slice())
  }

  private account({ length }: Uint8Array): void {
    this.gathered += length
    if (this.gathered > LARGEST_ELEMENT_BYTES) this.fail(`an element of more than ${LARGEST_ELEMENT_BYTES} bytes`, this.startOffset)
  }

  /** The element ends before `to`. */
  private complete(chunk: Uint8Array, from: number, to: number): number {
    const { use, startOffset } = this
    this.use = undefined
    if (use !== 'nothing') this.hand(use as Exclude<Use, 'nothing'>, this.parse(chunk.subarray(from, to)), startOffset)
    this.place = use === 'key' ? 'colon' : use === 'event' ? 'after-event' : 'after-value'
    return to
  }

  private hand(use: Exclude<Use, 'nothing'>, value: unknown, offset: number): void {
    if (use === 'key') this.key = String(value)
    else if (use === 'event') this.handlers.event(value, offset)
    else this.handlers.field(this.key, value, offset)
  }

  private parse(last: Uint8Array): unknown {
    this.account(last)
    let text = ''
    if (this.pieces.length > 0) {
      this.pieces.push(last)
      for (const piece of this.pieces) text += this.decoder.decode(piece, { stream: true })
      text += this.decoder.decode()
      this.pieces = []
    } else text = this.decoder.decode(last)
    try {
      // Own properties only, whatever their names: JSON.parse sets no prototype, not even by "__proto__".
      return JSON.parse(text)
    } catch (error) {
      return this.fail(`no valid JSON (${short(String((error as Error).message))})`, this.startOffset)
    }
  }
}

function isDelimiter(byte: number): boolean {
  return (
    byte === Byte.comma ||
    byte === Byte.closeList ||
    byte === Byte.closeObject ||
    byte === Byte.space ||
    byte === Byte.newline ||
    byte === Byte.return ||
    byte === Byte.tab
  )
}
