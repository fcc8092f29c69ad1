import type { Plan } from '@foretrain/predictor'
import { csvField } from '@foretrain/predictor/text'

const header = [
  'workers',
  'servers',
  'steps_per_second',
  'ci95_low',
  'ci95_high',
  'band95_low',
  'band95_high',
  'examples_per_second',
  'cost_per_hour',
  'cost_per_million_examples',
  'meets_target',
  'band_share_meeting_target',
  'bottleneck',
  'cheapest',
  'knee',
  'pareto'
]

/** A row a simulated point; what a point is, and whether it meets the target, as 1 or 0. Numbers in full precision. */
export function renderPlanCsv(plan: Plan): string {
  const flag = (is: boolean) => (is ? 1 : 0)
  const rows = plan.points.map(row => {
    const { cheapest, knee, pareto } = standingOf(row, plan)
    return [
      row.workers,
      row.servers,
      row.stepsPerSecond.mean,
      ...row.stepsPerSecond.ci95,
      ...row.stepsPerSecond.band95,
      row.examplesPerSecond,
      row.costPerHour,
      row.costPerMillionExamples,
      flag(row.meetsTarget),
      row.bandShareMeetingTarget,
      row.bottleneck.resource,
      flag(cheapest),
      flag(knee),
      flag(pareto)
    ]
  })
  return [header, ...rows].map(row => `${row.map(csvField).join(',')}\n`).join('')
}

/** What a point is in its plan. */
export function standingOf(
  row: Plan['points'][number],
  { cheapest, knee, pareto }: Plan
): { cheapest: boolean; knee: boolean; pareto: boolean } {
  const isSame = (other: Plan['points'][number] | null) => other?.workers === row.workers && other.servers === row.servers
  return { cheapest: isSame(cheapest), knee: isSame(knee), pareto: pareto.some(isSame) }
}
