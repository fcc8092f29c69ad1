import { type AxisName, axisOrder, type Row, type SweepAxes } from '@foretrain/sweep/local'

/** The axes with a word each, as flags and columns have them, and how a row shows its place on them. */
const axes: Record<AxisName, { word: string; of: (row: Row) => string }> = {
  servers: { word: 'servers', of: row => String(row.servers) },
  bandwidthBitsPerSecond: { word: 'bandwidth', of: row => row.bandwidth },
  latencyUs: { word: 'latency', of: row => `${row.latency_ms} ms` },
  computeSpeed: { word: 'compute speed', of: row => String(row.compute_speed) },
  mode: { word: 'mode', of: row => row.mode },
  policy: { word: 'policy', of: row => row.policy },
  workers: { word: 'workers', of: row => String(row.workers) },
  batchSize: { word: 'batch', of: row => String(row.batch_size) }
}

/** Axes with more than one value, in the order of points. */
export function variedAxes(asked: SweepAxes): AxisName[] {
  return axisOrder.filter(axis => (asked[axis]?.length ?? 0) > 1)
}

export function axisWord(axis: AxisName): string {
  return axes[axis].word
}

/** The value of a row on an axis, as text. */
export function axisValue(axis: AxisName, row: Row): string {
  return axes[axis].of(row)
}

/** "servers 2, policy tac": the value of a row on each of the axes. */
export function settingText(of: readonly AxisName[], row: Row): string {
  return of.map(axis => `${axisWord(axis)} ${axisValue(axis, row)}`).join(', ')
}
