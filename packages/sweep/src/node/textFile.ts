import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { csvHeader, csvLine, sweepColumns } from '@foretrain/predictor/text'
import type { Row } from '../local/rows.ts'
import { about } from '../sweepError.ts'

/** Formats of a line for each row. */
export type TextFormat = 'csv' | 'jsonl'

/** A row in one of the formats that are written line by line; `head` is what stands before all of them. */
export const textFormats: Record<TextFormat, { head: string; line: (row: Row) => string }> = {
  csv: { head: csvHeader, line: csvLine },
  jsonl: { head: '', line: row => `${JSON.stringify(row, [...sweepColumns])}\n` }
}

/** A file that grows by whole rows: whatever ends the process, it holds no half one. */
export class TextFile {
  readonly #path: string
  readonly #format: TextFormat
  #handle: FileHandle | undefined
  #bytes = 0

  constructor(path: string, format: TextFormat) {
    this.#path = path
    this.#format = format
  }

  /** Replaces what there is by these rows; a reader sees the old file or the new one. */
  async restart(chunks: AsyncIterable<Row[]>): Promise<void> {
    const temporary = `${this.#path}.${process.pid}.tmp`
    this.#handle = await this.#guarded(() => open(temporary, 'w'))
    try {
      for await (const rows of chunks) await this.append(rows)
      await this.#guarded(() => rename(temporary, this.#path))
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  }

  /** The file comes into being with its first rows. */
  async append(rows: readonly Row[]): Promise<void> {
    if (rows.length === 0) return
    const { head, line } = textFormats[this.#format]
    this.#handle ??= await this.#guarded(() => open(this.#path, 'w'))
    const handle = this.#handle
    const bytes = Buffer.from((this.#bytes === 0 ? head : '') + rows.map(line).join(''))
    await this.#guarded(async () => {
      try {
        for (let written = 0; written < bytes.length; ) {
          const at = this.#bytes + written
          written += (await handle.write(bytes, written, bytes.length - written, at)).bytesWritten
        }
      } catch (error) {
        await handle.truncate(this.#bytes)
        throw error
      }
    })
    this.#bytes += bytes.length
  }

  /** A file without rows goes; one that was there before and has not been replaced stays. */
  async close(): Promise<void> {
    if (this.#handle === undefined) return
    await this.#handle.close()
    this.#handle = undefined
    if (this.#bytes === 0) await rm(this.#path, { force: true })
  }

  async #guarded<Value>(action: () => Promise<Value>): Promise<Value> {
    try {
      return await action()
    } catch (error) {
      throw about(this.#path, error)
    }
  }
}
