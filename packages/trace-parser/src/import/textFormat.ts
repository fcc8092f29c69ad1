import { TraceError } from '../rawStep.ts'
import { short } from '../text.ts'

/** Deeper nesting is no trace: the deepest field of a RunMetadata has 8 levels. */
const DEEPEST = 100
/** A name, number or text that is wanted. Those that are not cost nothing, whatever their length. */
const LONGEST_TOKEN_BYTES = 1024 * 1024

/** What is made of a message in protobuf's text format. */
interface TextHandlers {
  /** A field that is a message begins. */
  open(field: string, offset: number): void
  close(): void
  /** A field with a value: a number or identifier as written, or a text without quotes and escapes. */
  scalar(field: string, value: string, offset: number): void
  /** Whether the value of this field matters. */
  wants(field: string): boolean
}

type Place = 'name' | 'after-name' | 'value' | 'after-text' | 'list' | 'list-after' | 'extension'
type Token = 'none' | 'word' | 'text' | 'comment'

/**
 * Reads protobuf's text format (https://protobuf.dev/reference/protobuf/textformat-spec/) as bytes come: `field: value`, `field { … }`,
 * `field < … >`, lists, comments, texts in pieces with escapes. Of it all, no more is kept than the token under way.
 */
export class TextFormat {
  private place: Place = 'name'
  private token: Token = 'none'
  /** Bytes of all chunks before the current one. */
  private before = 0
  private line = 1
  private field = ''
  /** Closing bracket of each message that is open. */
  private readonly closers: number[] = []
  private inList = false

  // The token under way.
  private pieces: Uint8Array[] = []
  private gathered = 0
  private startOffset = 0
  private quote = 0
  private escaped = false
  private hasEscapes = false
  /** Pieces of a text that stands in several pairs of quotes. */
  private text = ''
  private readonly decoder = new TextDecoder()

  constructor(
    private readonly name: string,
    private readonly handlers: TextHandlers
  ) {}

  /** @throws TraceError with the line and offset of what does not fit */
  push(chunk: Uint8Array): void {
    let at = 0
    while (at < chunk.length) {
      if (this.token === 'none') at = this.between(chunk, at)
      else if (this.token === 'word') at = this.withinWord(chunk, at)
      else if (this.token === 'text') at = this.withinText(chunk, at)
      else at = this.withinComment(chunk, at)
    }
    this.before += chunk.length
  }

  /** @throws TraceError when the message is cut off */
  end(): void {
    if (this.token === 'word') this.takeWord(this.take(NOTHING))
    if (this.place === 'after-text') this.endText()
    if (this.token === 'text') this.fail('cut off within a text', this.startOffset)
    if (this.closers.length > 0 || this.place !== 'name')
      this.fail(`cut off, with ${this.closers.length} messages open`, this.before)
  }

  fail(found: string, offset: number): never {
    throw new TraceError(
      `${short(this.name)}: ${found} at byte ${offset} (line ${this.line}); expected a RunMetadata or StepStats in protobuf's text format`
    )
  }

  /** Takes one byte between tokens, or begins a token. Returns the next position. */
  private between(chunk: Uint8Array, at: number): number {
    const byte = chunk[at]
    if (byte <= 0x20) {
      if (byte === NEWLINE) this.line++
      else if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d && byte !== 0x0b && byte !== 0x0c) this.unexpected(byte, at)
      return at + 1
    }
    // A byte order mark.
    if (this.before + at < 3 && (byte === 0xef || byte === 0xbb || byte === 0xbf)) return at + 1
    this.startOffset = this.before + at
    if (byte === HASH) {
      this.token = 'comment'
      return at + 1
    }
    if (byte === DOUBLE_QUOTE || byte === SINGLE_QUOTE) {
      if (this.place !== 'value' && this.place !== 'list' && this.place !== 'after-text') this.unexpected(byte, at)
      this.token = 'text'
      this.quote = byte
      this.escaped = false
      this.hasEscapes = false
      return at + 1
    }
    if (this.place === 'after-text') this.endText()
    if (IS_WORD[byte] === 1) {
      this.token = 'word'
      return at
    }
    this.punctuation(byte, at)
    return at + 1
  }

  private withinComment(chunk: Uint8Array, from: number): number {
    const end = chunk.indexOf(NEWLINE, from)
    if (end < 0) return chunk.length
    this.token = 'none'
    return end
  }

  private withinWord(chunk: Uint8Array, from: number): number {
    let at = from
    while (at < chunk.length && IS_WORD[chunk[at]] === 1) at++
    if (at === chunk.length) this.gather(chunk.subarray(from))
    else {
      this.token = 'none'
      this.takeWord(this.take(chunk.subarray(from, at)))
    }
    return at
  }

  private withinText(chunk: Uint8Array, from: number): number {
    const { quote } = this
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at]
      if (this.escaped) this.escaped = false
      else if (byte === BACKSLASH) {
        this.escaped = true
        this.hasEscapes = true
      } else if (byte === quote) {
        this.token = 'none'
        if (this.isWanted()) {
          const raw = this.take(chunk.subarray(from, at))
          this.text += this.hasEscapes ? unescaped(raw) : raw
          if (this.text.length > LONGEST_TOKEN_BYTES) this.tooLong()
        }
        this.place = 'after-text'
        return at + 1
      } else if (byte === NEWLINE) this.fail('a line break within a text', this.before + at)
    }
    if (this.isWanted()) this.gather(chunk.subarray(from))
    return chunk.length
  }

  private isWanted(): boolean {
    return this.handlers.wants(this.field)
  }

  private gather(piece: Uint8Array): void {
    this.gathered += piece.length
    if (this.gathered > LONGEST_TOKEN_BYTES) this.tooLong()
    // Chunks may be reused by their source.
    this.pieces.push(piece.slice())
  }

  private tooLong(): never {
    this.fail(`a name or text of more than ${LONGEST_TOKEN_BYTES} bytes`, this.startOffset)
  }

  /** The token that ends with this piece. */
  private take(last: Uint8Array): string {
    if (this.pieces.length === 0) return this.decoder.decode(last)
    this.gather(last)
    let text = ''
    for (const piece of this.pieces) text += this.decoder.decode(piece, { stream: true })
    text += this.decoder.decode()
    this.pieces = []
    this.gathered = 0
    return text
  }

  private takeWord(word: string): void {
    switch (this.place) {
      case 'name':
        this.field = word
        this.place = 'after-name'
        return
      case 'value':
      case 'list':
        // A sign may stand apart from its number.
        if (word === '-') this.text = '-'
        else this.scalar(this.text + word)
        return
      case 'extension':
        return
      default:
        this.fail(`unexpected "${short(word)}"`, this.startOffset)
    }
  }

  private endText(): void {
    this.scalar(this.text)
  }

  private scalar(value: string): void {
    this.text = ''
    if (this.isWanted()) this.handlers.scalar(this.field, value, this.startOffset)
    this.place = this.inList ? 'list-after' : 'name'
  }

  private punctuation(byte: number, at: number): void {
    const { place } = this
    if (place === 'extension') {
      if (byte === CLOSE_LIST) this.place = 'after-name'
      else if (byte !== SLASH) this.unexpected(byte, at)
    } else if (byte === OPEN_OBJECT || byte === LESS) {
      if (place !== 'after-name' && place !== 'value' && place !== 'list') this.unexpected(byte, at)
      this.openMessage(byte === LESS ? GREATER : CLOSE_OBJECT, at)
    } else if (byte === CLOSE_OBJECT || byte === GREATER) {
      if (place !== 'name' || this.closers.pop() !== byte) this.unexpected(byte, at)
      this.handlers.close()
    } else if (byte === COLON && place === 'after-name') this.place = 'value'
    else if (byte === OPEN_LIST && place === 'name') {
      this.field = ''
      this.place = 'extension'
    } else if (byte === OPEN_LIST && (place === 'value' || place === 'after-name')) {
      this.inList = true
      this.place = 'list'
    } else if (byte === CLOSE_LIST && this.inList && (place === 'list' || place === 'list-after')) {
      this.inList = false
      this.place = 'name'
    } else if (byte === COMMA && place === 'list-after') this.place = 'list'
    // Between fields, separators are allowed and mean nothing.
    else if (!((byte === COMMA || byte === SEMICOLON) && place === 'name')) this.unexpected(byte, at)
  }

  private openMessage(closer: number, at: number): void {
    // The fields of a message in a list would have to be told from the rest of the list; nothing that TensorFlow writes has one.
    if (this.inList) this.fail('a list of messages', this.before + at)
    if (this.closers.length >= DEEPEST) this.fail(`more than ${DEEPEST} levels of nesting`, this.before + at)
    this.closers.push(closer)
    this.handlers.open(this.field, this.before + at)
    this.place = 'name'
  }

  private unexpected(byte: number, at: number): never {
    const shown = byte > 0x20 && byte < 0x7f ? `"${String.fromCharCode(byte)}"` : `byte 0x${byte.toString(16).padStart(2, '0')}`
    this.fail(`unexpected ${shown}`, this.before + at)
  }
}

const NOTHING = new Uint8Array(0)
const [NEWLINE, HASH, BACKSLASH, SLASH, COMMA, COLON, SEMICOLON] = [0x0a, 0x23, 0x5c, 0x2f, 0x2c, 0x3a, 0x3b]
const [DOUBLE_QUOTE, SINGLE_QUOTE, LESS, GREATER] = [0x22, 0x27, 0x3c, 0x3e]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** 1 for the characters of names and numbers. */
const IS_WORD = Uint8Array.from({ length: 256 }, (_, byte) => (/[A-Za-z0-9_.+-]/.test(String.fromCharCode(byte)) ? 1 : 0))

const SIMPLE: Record<string, number> = { n: 10, r: 13, t: 9, a: 7, b: 8, f: 12, v: 11, '\\': 92, "'": 39, '"': 34, '?': 63 }
const ESCAPE = /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))/g

/** Escapes are of bytes (octal, hexadecimal), which together are UTF-8; what is not becomes U+FFFD. */
function unescaped(raw: string): string {
  const encoder = new TextEncoder()
  const bytes: number[] = []
  const add = (text: string) => {
    for (const byte of encoder.encode(text)) bytes.push(byte)
  }
  let end = 0
  for (const match of raw.matchAll(ESCAPE)) {
    add(raw.slice(end, match.index))
    end = match.index + match[0].length
    const [, octal, hexadecimal, short4, long8, simple] = match
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8) & 0xff)
    else if (hexadecimal !== undefined) bytes.push(Number.parseInt(hexadecimal, 16))
    else if (simple !== undefined) bytes.push(SIMPLE[simple] ?? 0x3f)
    else {
      const point = Number.parseInt(short4 ?? long8, 16)
      add(point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd')
    }
  }
  add(raw.slice(end))
  return new TextDecoder().decode(Uint8Array.from(bytes))
}
