import { type FileHandle, open, rm } from 'node:fs/promises'
import { QuestionError } from '@foretrain/predictor'
import type { Chunk } from '../local/chunks.ts'
import { packRows, type Row, unpackRows } from '../local/rows.ts'
import { about, SweepError } from '../sweepError.ts'

const schema = 'foretrain/sweep-journal@1'

/** The first line of a journal. */
interface Header {
  schema: typeof schema
  /** `sweepHash` */
  sweep: string
  points: number
}

/**
 * The rows of an unfinished sweep as they came, one line of JSON a chunk, under a header. It lies beside the result and has every row that was
 * ever finished; a line that a killed process left unfinished is not counted, and overwritten.
 */
export class Journal {
  /** Points that were in it when it was opened, in ascending order. */
  readonly resumed: Chunk[] = []
  readonly #path: string
  readonly #handle: FileHandle
  /** Up to the end of the last whole line. */
  #bytes: number

  private constructor(path: string, handle: FileHandle, bytes: number) {
    this.#path = path
    this.#handle = handle
    this.#bytes = bytes
  }

  static async create(path: string, sweep: string, points: number): Promise<Journal> {
    const handle = await open(path, 'w+').catch(error => {
      throw about(path, error)
    })
    const journal = new Journal(path, handle, 0)
    try {
      await journal.#writeLine(JSON.stringify({ schema, sweep, points } satisfies Header))
    } catch (error) {
      await journal.remove()
      throw error
    }
    return journal
  }

  /**
   * @throws SweepError when there is none, or the file is none; QuestionError when it is that of another sweep
   */
  static async resume(path: string, sweep: string, points: number): Promise<Journal> {
    const handle = await open(path, 'r+').catch(error => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw about(path, error)
      throw new SweepError(`${path}: there is no such journal, so there is nothing to resume; leave out --resume`)
    })
    const journal = new Journal(path, handle, 0)
    try {
      await journal.#readAll(sweep, points)
    } catch (error) {
      await handle.close()
      throw error
    }
    return journal
  }

  async append(rows: readonly Row[]): Promise<void> {
    await this.#writeLine(JSON.stringify(packRows(rows)))
  }

  /** The rows of each chunk, as they came. */
  async *chunks(): AsyncGenerator<Row[]> {
    let isHeader = true
    for await (const line of this.#lines()) {
      if (!isHeader) yield rowsOf(this.#path, line.text)
      isHeader = false
    }
  }

  close(): Promise<void> {
    return this.#handle.close()
  }

  async remove(): Promise<void> {
    await this.#handle.close()
    await rm(this.#path, { force: true })
  }

  async #readAll(sweep: string, points: number): Promise<void> {
    let isHeader = true
    const seen = new Set<number>()
    for await (const { text, end } of this.#lines(Number.POSITIVE_INFINITY)) {
      if (isHeader) checkHeader(this.#path, text, sweep, points)
      else {
        const rows = rowsOf(this.#path, text)
        for (const { point } of rows) {
          if (seen.has(point) || point >= points) throw damaged(this.#path)
          seen.add(point)
        }
        this.resumed.push({ from: rows[0].point, to: rows[0].point + rows.length })
      }
      isHeader = false
      this.#bytes = end
    }
    if (isHeader) throw damaged(this.#path)
    this.resumed.sort((a, b) => a.from - b.from)
  }

  async #writeLine(text: string): Promise<void> {
    const bytes = Buffer.from(`${text}\n`)
    try {
      for (let written = 0; written < bytes.length; ) {
        const at = this.#bytes + written
        written += (await this.#handle.write(bytes, written, bytes.length - written, at)).bytesWritten
      }
    } catch (error) {
      throw about(this.#path, error)
    }
    this.#bytes += bytes.length
  }

  /** Whole lines up to `most` bytes, with where they end. */
  async *#lines(most = this.#bytes): AsyncGenerator<{ text: string; end: number }> {
    const buffer = Buffer.alloc(1 << 16)
    let pieces: Buffer[] = []
    for (let at = 0; at < most; ) {
      const { bytesRead } = await this.#handle.read(buffer, 0, Math.min(buffer.length, most - at), at)
      if (bytesRead === 0) return
      let begin = 0
      for (;;) {
        const newline = buffer.subarray(0, bytesRead).indexOf(0x0a, begin)
        if (newline < 0) break
        yield { text: Buffer.concat([...pieces, buffer.subarray(begin, newline)]).toString('utf8'), end: at + newline + 1 }
        pieces = []
        begin = newline + 1
      }
      pieces.push(Buffer.from(buffer.subarray(begin, bytesRead)))
      at += bytesRead
    }
  }
}

function checkHeader(path: string, text: string, sweep: string, points: number): void {
  let header: Partial<Header> = {}
  try {
    header = JSON.parse(text)
  } catch {}
  if (header?.schema !== schema) throw new SweepError(`${path}: is no journal of a sweep of this version of foretrain`)
  if (header.sweep !== sweep || header.points !== points)
    throw new QuestionError(
      `${path} is of another sweep: resume with the plan, the traces, the seed and the version that began it, or use --force to begin anew`
    )
}

function rowsOf(path: string, text: string): Row[] {
  let packed: unknown
  try {
    packed = JSON.parse(text)
  } catch {
    throw damaged(path)
  }
  const rows = unpackRows(packed)
  if (rows === undefined) throw damaged(path)
  return rows
}

function damaged(path: string): SweepError {
  return new SweepError(`${path}: is damaged; use --force to begin anew`)
}
