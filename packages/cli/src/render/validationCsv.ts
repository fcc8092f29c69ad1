import type { Validation } from '@foretrain/predictor'
import { csvField } from '@foretrain/predictor/text'

/** A row a point; of each simpler model its throughput and its error. Numbers in full precision. */
export function renderValidationCsv({ cases }: Validation): string {
  const baselines = [...new Set(cases.flatMap(({ points }) => points.flatMap(point => Object.keys(point.baselines))))]
  const header = [
    'case',
    'workers',
    'measured',
    'measured_ci95_low',
    'measured_ci95_high',
    'predicted',
    'ci95_low',
    'ci95_high',
    'band95_low',
    'band95_high',
    'error',
    'outside',
    ...baselines.flatMap(name => [snake(name), `${snake(name)}_error`])
  ]
  const rows = cases.flatMap(({ name, points }) =>
    points.map(point => [
      name,
      point.workers,
      point.measured,
      ...point.measuredCi95,
      point.predicted,
      ...point.ci95,
      ...point.band95,
      point.error,
      point.outside,
      ...baselines.flatMap(baseline => [point.baselines[baseline] ?? '', point.baselineErrors[baseline] ?? ''])
    ])
  )
  return [header, ...rows].map(row => `${row.map(csvField).join(',')}\n`).join('')
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}
