import type { Comparison } from '@foretrain/predictor'
import { csvField } from '@foretrain/predictor/text'

/** A row a policy, best first; numbers in full precision, gains as shares. */
export function renderComparisonCsv({ workers, reference, replications, policies }: Comparison): string {
  const header = [
    'policy',
    'workers',
    'replications',
    'steps_per_second',
    'ci95_low',
    'ci95_high',
    'band95_low',
    'band95_high',
    'reference',
    'gain',
    'gain_ci95_low',
    'gain_ci95_high',
    'told',
    'same_order_as'
  ]
  const rows = policies.map(({ policy, stepsPerSecond, gain, told, sameOrderAs }) => [
    policy,
    workers,
    replications,
    stepsPerSecond.mean,
    ...stepsPerSecond.ci95,
    ...stepsPerSecond.band95,
    reference,
    gain.mean,
    ...gain.ci95,
    String(told),
    sameOrderAs ?? ''
  ])
  return [header, ...rows].map(row => `${row.map(csvField).join(',')}\n`).join('')
}
