import { readCase } from '@foretrain/predictor'

/** What was measured on a real cluster, to hold the curve against. */
export interface Measured {
  name: string
  batchSize: number
  mode: string
  servers: number
  bandwidth: string
  points: Array<{ workers: number; stepsPerSecond: number; ci95: [number, number] }>
}

/** @throws CaseError at the first field that cannot be used */
export function readMeasured(text: string, file: string): Measured {
  const { name, batchSize, mode, servers, bandwidth, measurements } = readCase(text, file)
  const points = measurements.map(({ workers, stepsPerSecond, ci95 }) => ({ workers, stepsPerSecond, ci95 }))
  return { name, batchSize, mode, servers, bandwidth, points }
}
