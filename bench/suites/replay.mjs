import { freshProcess } from '../lib/freshProcess.mjs'
import { command, exampleCases } from '../lib/paths.mjs'
import { rowOf } from '../lib/row.mjs'

export const title = 'one worker replayed against its own trace'

/**
 * The figures of an inspection; errors and shares in per cent.
 *
 * @type {Array<{ measure: string, unit: string, bar?: number, of: (replay: import('@foretrain/predictor').Replay) => number }>}
 */
const measures = [
  { measure: 'recorded', unit: 'ms', of: replay => replay.recordedMs },
  { measure: 'simulated', unit: 'ms', of: replay => replay.simulatedMs },
  { measure: 'mean absolute error', unit: '%', bar: 3, of: replay => replay.meanAbsError * 100 },
  { measure: 'worst step', unit: '%', bar: 8, of: replay => replay.worst * 100 },
  { measure: 'pinned', unit: '%', bar: 5, of: replay => replay.pinnedShare * 100 }
]

export async function run() {
  const rows = []
  for (const name of exampleCases()) {
    const { output } = await freshProcess([command, 'inspect', `examples/${name}`, '--format', 'json'])
    const { replay } = JSON.parse(output)
    for (const { measure, unit, bar, of } of measures) rows.push(rowOf(name, unit, [of(replay)], { measure, bar }))
  }
  return {
    rows,
    notes: [
      'As `foretrain inspect` says; the same on every machine. "Pinned" is the share of the simulated critical path that is recorded waiting, which nothing modelled explains.'
    ]
  }
}
