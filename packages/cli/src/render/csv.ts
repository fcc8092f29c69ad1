import type { Prediction } from '@foretrain/predictor'
import { csvHeader, csvLine, type Row } from '@foretrain/sweep/local'

/** The points of a prediction as rows; numbers in full precision. */
function sweepRows(prediction: Prediction): Row[] {
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
    steps_per_second: point.stepsPerSecond.mean,
    ci95_low: point.stepsPerSecond.ci95[0],
    ci95_high: point.stepsPerSecond.ci95[1],
    examples_per_second: point.examplesPerSecond,
    speedup: point.speedup,
    efficiency: point.efficiency,
    bottleneck: point.bottleneck.resource,
    staleness_mean: point.staleness?.mean ?? '',
    error: ''
  }))
}

/** A prediction as comma-separated values, in the columns of a sweep. */
export function renderCsv(prediction: Prediction): string {
  return csvHeader + sweepRows(prediction).map(csvLine).join('')
}

const msPerUnit: Record<string, number> = { us: 1e-3, µs: 1e-3, ms: 1, s: 1e3 }

function latencyMs(parameters: Prediction['parameters']): number {
  const { value, unit } = parameters.latency ?? { value: Number.NaN, unit: 'ms' }
  return typeof value === 'number' ? value * (msPerUnit[unit] ?? Number.NaN) : Number.NaN
}
