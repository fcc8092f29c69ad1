import type { Point, Prediction, SweepRow } from '../schema.ts'

/** The columns of a table of points, in their order (SweepRow in the schema). */
export const sweepColumns = [
  'point',
  'workers',
  'servers',
  'bandwidth',
  'latency_ms',
  'compute_speed',
  'batch_size',
  'mode',
  'policy',
  'steps_per_second',
  'ci95_low',
  'ci95_high',
  'examples_per_second',
  'speedup',
  'efficiency',
  'bottleneck',
  'staleness_mean',
  'error'
] as const satisfies ReadonlyArray<keyof SweepRow>

/** Of a point, or of what a sweep keeps of one. */
export type Throughput = Pick<Point, 'examplesPerSecond' | 'speedup' | 'efficiency'> & {
  stepsPerSecond: Pick<Point['stepsPerSecond'], 'mean' | 'ci95'>
}

/** What a row has of a point's throughput, in full precision. */
export function throughputColumns({ stepsPerSecond, examplesPerSecond, speedup, efficiency }: Throughput) {
  const { mean, ci95 } = stepsPerSecond
  return {
    steps_per_second: mean,
    ci95_low: ci95[0],
    ci95_high: ci95[1],
    examples_per_second: examplesPerSecond,
    speedup,
    efficiency
  } satisfies Partial<SweepRow>
}

/** The points of a prediction as rows; numbers in full precision. */
function sweepRows(prediction: Prediction): SweepRow[] {
  return prediction.points.map((point, index) => ({
    point: index,
    workers: point.workers,
    servers: point.servers,
    bandwidth: point.bandwidth,
    latency_ms: latencyMs(prediction.parameters),
    // --step-time takes out what profiling cost; it buys no faster machine.
    compute_speed: point.computeSpeed ?? 1,
    batch_size: point.batchSize,
    mode: point.mode,
    policy: point.policy,
    ...throughputColumns(point),
    bottleneck: point.bottleneck.resource,
    staleness_mean: point.staleness?.mean ?? '',
    error: ''
  }))
}

/** The first line of a table of points. */
export const csvHeader = `${sweepColumns.join(',')}\n`

/** A prediction as comma-separated values, in the columns of a sweep. */
export function predictionCsv(prediction: Prediction): string {
  return csvHeader + sweepRows(prediction).map(csvLine).join('')
}

/** A row as comma-separated values, quoted as RFC 4180 says; it ends with a newline alone, as other tools here expect. Numbers in full precision. */
export function csvLine(row: Readonly<Record<(typeof sweepColumns)[number], string | number | null>>): string {
  return `${sweepColumns.map(column => csvField(row[column])).join(',')}\n`
}

/** A field, in quotes where it needs them. A number that does not exist is empty. */
export function csvField(value: string | number | null): string {
  if (typeof value !== 'string') return value !== null && Number.isFinite(value) ? String(value) : ''
  return /[",\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

const msPerUnit: Record<string, number> = { us: 1e-3, µs: 1e-3, ms: 1, s: 1e3 }

function latencyMs(parameters: Prediction['parameters']): number {
  const { value, unit } = parameters.latency ?? { value: Number.NaN, unit: 'ms' }
  return typeof value === 'number' ? value * (msPerUnit[unit] ?? Number.NaN) : Number.NaN
}
