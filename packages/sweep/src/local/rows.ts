import type { SweepPoint, SweepPointAsked, SweepPoints, SweepRow } from '@foretrain/predictor'
import { sweepColumns, throughputColumns } from '@foretrain/predictor/text'

/** Columns that hold text; the others hold numbers. */
export const textColumns: ReadonlySet<string> = new Set(['bandwidth', 'mode', 'policy', 'bottleneck', 'error'])

/** A row whose figures do not exist where its point failed. */
export type Row = { [Column in keyof SweepRow]: SweepRow[Column] extends number ? number | null : SweepRow[Column] } & {
  point: number
  workers: number
}

/** One point as a row. What is wrong with the point stands in the row; only an abort is thrown. */
export async function rowOf(points: SweepPoints, index: number, asked: SweepPointAsked, signal?: AbortSignal): Promise<Row> {
  try {
    return figuresOf(index, await points.of(asked))
  } catch (thrown) {
    signal?.throwIfAborted()
    return failedRow(index, points.settingOf(asked), describe(thrown))
  }
}

function figuresOf(index: number, point: SweepPoint): Row {
  return {
    ...settingsOf(index, point),
    ...throughputColumns(point),
    bottleneck: point.bottleneck,
    staleness_mean: point.stalenessMean,
    error: ''
  }
}

/** The row of a point that could not be simulated. */
export function failedRow(index: number, setting: ReturnType<SweepPoints['settingOf']>, error: string): Row {
  return {
    ...settingsOf(index, setting),
    steps_per_second: null,
    ci95_low: null,
    ci95_high: null,
    examples_per_second: null,
    speedup: null,
    efficiency: null,
    bottleneck: '',
    staleness_mean: '',
    error
  }
}

function settingsOf(index: number, setting: ReturnType<SweepPoints['settingOf']>) {
  return {
    point: index,
    workers: setting.workers,
    servers: setting.servers,
    bandwidth: setting.bandwidth,
    latency_ms: setting.latencyUs / 1000,
    compute_speed: setting.computeSpeed,
    batch_size: setting.batchSize,
    mode: setting.mode,
    policy: setting.policy
  }
}

/** Rows as lists of values in the order of the columns: what journals and queues hold. */
export function packRows(rows: readonly Row[]): unknown[][] {
  return rows.map(row => sweepColumns.map(column => row[column]))
}

/** The rows of consecutive points from what `packRows` made of them; undefined when it is anything else. */
export function unpackRows(packed: unknown): Row[] | undefined {
  if (!Array.isArray(packed) || packed.length === 0) return undefined
  const rows: Row[] = []
  for (const values of packed) {
    if (!Array.isArray(values) || values.length !== sweepColumns.length || !sweepColumns.every(isCell(values))) return undefined
    const row = Object.fromEntries(sweepColumns.map((column, at) => [column, values[at]])) as unknown as Row
    if (!Number.isSafeInteger(row.point) || row.point < 0 || row.point !== (rows[0] ?? row).point + rows.length) return undefined
    rows.push(row)
  }
  return rows
}

function isCell(values: readonly unknown[]): (column: string, at: number) => boolean {
  return (column, at) => {
    const value = values[at]
    if (textColumns.has(column)) return typeof value === 'string'
    return typeof value === 'number' || value === null || (column === 'staleness_mean' && value === '')
  }
}

/** In one line. What is no matter of the question is a bug, and says so. */
function describe(thrown: unknown): string {
  const { name, message } = thrown instanceof Error ? thrown : new Error(String(thrown))
  const line = message.replace(/\s+/g, ' ')
  return name === 'QuestionError' ? line : `bug: ${line}`
}
