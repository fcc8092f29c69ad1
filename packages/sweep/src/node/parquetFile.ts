import { rename, rm } from 'node:fs/promises'
import { sweepColumns } from '@foretrain/predictor/text'
import type { BasicType } from 'hyparquet-writer'
import { type Row, textColumns } from '../local/rows.ts'
import { about } from '../sweepError.ts'

const wholeNumbers = ['point', 'workers', 'servers', 'batch_size']
/** Rows that are in memory at once. */
const rowGroupSize = 10_000

function typeOf(column: string): BasicType {
  if (wholeNumbers.includes(column)) return 'INT32'
  return textColumns.has(column) ? 'STRING' : 'DOUBLE'
}

/** Writes a Parquet file as a whole: a reader sees the old file or the new one. Figures that do not exist are null. */
export async function writeParquet(path: string, chunks: AsyncIterable<Row[]>): Promise<void> {
  const { fileWriter, parquetWriteRows } = await import('hyparquet-writer')
  const temporary = `${path}.${process.pid}.tmp`
  try {
    await parquetWriteRows({
      writer: fileWriter(temporary),
      rows: cells(chunks),
      columns: sweepColumns.map(name => ({ name, type: typeOf(name), nullable: true })),
      rowGroupSize,
      createdBy: 'foretrain'
    })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw about(path, error)
  }
}

async function* cells(chunks: AsyncIterable<Row[]>): AsyncGenerator<Record<string, string | number | null>> {
  for await (const rows of chunks) {
    for (const row of rows) yield { ...row, staleness_mean: row.staleness_mean === '' ? null : row.staleness_mean }
  }
}
