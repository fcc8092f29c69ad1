import { stat } from 'node:fs/promises'
import type { Chunk } from '../local/chunks.ts'
import type { Row } from '../local/rows.ts'
import { SweepError } from '../sweepError.ts'
import { InOrder } from './inOrder.ts'
import { Journal } from './journal.ts'
import { writeParquet } from './parquetFile.ts'
import { TextFile, type TextFormat } from './textFile.ts'

/** What a result can be written as. */
export type SweepFormat = TextFormat | 'parquet'

/** Where rows go, chunk by chunk in whatever order. */
export interface SweepSink {
  /** Points that an interrupted sweep had finished, in ascending order. */
  readonly done: readonly Chunk[]
  /** Points from the first on without a gap. */
  readonly head: number
  /** Takes the rows of a chunk. */
  write(rows: Row[]): Promise<void>
  /** All points are there. */
  finish(): Promise<void>
  /**
   * Ends before all points are there.
   *
   * @returns whether there is something to resume
   */
  suspend(): Promise<boolean>
}

/** How a result is written, and of which sweep. */
export interface SweepFileOptions {
  format: SweepFormat
  /** `sweepHash` */
  sweep: string
  points: number
  /** Go on with what an interrupted sweep left. */
  resume?: boolean
  /** A journal that lies there may be replaced. */
  force?: boolean
  /** Told the rows that an interrupted sweep had finished, as they came. */
  onResumed?: (rows: readonly Row[]) => void
}

/**
 * The result of a sweep in a file. All that is finished is in the journal beside it; CSV and JSON Lines also grow row by row, in the order of
 * points, while the sweep runs. Parquet is written at the end. The journal goes when the result is complete.
 */
export class SweepFile implements SweepSink {
  readonly #path: string
  readonly #journal: Journal
  readonly #text: TextFile | undefined
  readonly #inOrder = new InOrder()
  /** In the journal. */
  #rows = 0
  /** In the file, or for Parquet to come into it. */
  #head = 0
  #busy: Promise<void> = Promise.resolve()

  private constructor(path: string, journal: Journal, text: TextFile | undefined) {
    this.#path = path
    this.#journal = journal
    this.#text = text
  }

  static async open(path: string, { format, sweep, points, resume, force, onResumed }: SweepFileOptions): Promise<SweepFile> {
    const journalPath = `${path}.journal`
    if (!resume && !force && (await stat(journalPath).catch(() => undefined)) !== undefined)
      throw new SweepError(
        `${journalPath}: was left by an interrupted sweep; add --resume to go on with it, or --force to begin anew`
      )
    const journal = await (resume ? Journal.resume(journalPath, sweep, points) : Journal.create(journalPath, sweep, points))
    const file = new SweepFile(path, journal, format === 'parquet' ? undefined : new TextFile(path, format))
    if (resume) await file.#catchUp(onResumed)
    return file
  }

  get done(): readonly Chunk[] {
    return this.#journal.resumed
  }

  get head(): number {
    return this.#head
  }

  write(rows: Row[]): Promise<void> {
    return this.#next(async () => {
      await this.#journal.append(rows)
      this.#rows += rows.length
      const ready = this.#inOrder.accept(rows)
      await this.#text?.append(ready)
      this.#head = this.#inOrder.head
    })
  }

  finish(): Promise<void> {
    return this.#next(async () => {
      if (this.#text === undefined) await writeParquet(this.#path, inOrder(this.#journal, new InOrder()))
      await this.#text?.close()
      await this.#journal.remove()
    })
  }

  /** The file then holds the first points, the journal all that are finished. Where there are none nothing is left. */
  suspend(): Promise<boolean> {
    return this.#next(async () => {
      await this.#text?.close()
      if (this.#rows === 0) {
        await this.#journal.remove()
        return false
      }
      if (this.#text === undefined && this.head > 0) await writeParquet(this.#path, inOrder(this.#journal, new InOrder()))
      await this.#journal.close()
      return true
    })
  }

  async #catchUp(onResumed: SweepFileOptions['onResumed']): Promise<void> {
    for (const { from, to } of this.#journal.resumed) this.#rows += to - from
    const rows = inOrder(this.#journal, this.#inOrder, onResumed)
    if (this.#text !== undefined) await this.#text.restart(rows)
    else for await (const _ of rows);
    this.#head = this.#inOrder.head
  }

  /** One thing after the other, whoever asks for it. */
  #next<Value>(action: () => Promise<Value>): Promise<Value> {
    const result = this.#busy.then(action)
    this.#busy = result.then(
      () => {},
      () => {}
    )
    return result
  }
}

async function* inOrder(journal: Journal, order: InOrder, onRows?: (rows: readonly Row[]) => void): AsyncGenerator<Row[]> {
  for await (const rows of journal.chunks()) {
    onRows?.(rows)
    const ready = order.accept(rows)
    if (ready.length > 0) yield ready
  }
}
