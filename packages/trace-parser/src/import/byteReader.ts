import { concatenate } from './collect.ts'

const NOTHING = new Uint8Array(0)

/** Takes so many bytes at a time from a source that gives them in pieces of its own. */
export class ByteReader {
  /** Bytes taken so far. */
  position = 0
  private chunk: Uint8Array = NOTHING
  private at = 0
  private readonly source: AsyncIterator<Uint8Array>

  constructor(source: AsyncIterable<Uint8Array>) {
    this.source = source[Symbol.asyncIterator]()
  }

  /** At least one byte and at most `most`; undefined at the end of the source. */
  async some(most: number): Promise<Uint8Array | undefined> {
    while (this.at >= this.chunk.length) {
      const next = await this.source.next()
      if (next.done) return undefined
      this.chunk = next.value
      this.at = 0
    }
    const taken = this.chunk.subarray(this.at, this.at + most)
    this.at += taken.length
    this.position += taken.length
    return taken
  }

  /** The next `count` bytes; fewer only where the source ends. Costs memory for what is there, whatever `count` is. */
  async exactly(count: number): Promise<Uint8Array> {
    if (this.chunk.length - this.at >= count) {
      const taken = this.chunk.subarray(this.at, this.at + count)
      this.at += count
      this.position += count
      return taken
    }
    const pieces: Uint8Array[] = []
    let length = 0
    while (length < count) {
      const piece = await this.some(count - length)
      if (piece === undefined) break
      pieces.push(piece)
      length += piece.length
    }
    return concatenate(pieces, length)
  }

  /** Passes over `count` bytes. Returns how many there were. */
  async skip(count: number): Promise<number> {
    let skipped = 0
    while (skipped < count) {
      const piece = await this.some(count - skipped)
      if (piece === undefined) break
      skipped += piece.length
    }
    return skipped
  }

  /** Lets go of the source. */
  async close(): Promise<void> {
    await this.source.return?.()
  }
}
