import type { Estimate, Plan, PlanRow, Point } from '../schema.ts'

const secondsPerHour = 3600

/** A point with its cost. `targetStepsPerSecond`: of the whole cluster. */
export function rowOf(point: Point, prices: Plan['prices'], targetStepsPerSecond: number): PlanRow {
  const { workers, servers, examplesPerSecond, stepsPerSecond, bottleneck } = point
  const costPerHour = workers * prices.worker + servers * prices.server
  return {
    workers,
    servers,
    examplesPerSecond,
    costPerHour,
    costPerMillionExamples: (costPerHour / (examplesPerSecond * secondsPerHour)) * 1e6,
    stepsPerSecond,
    meetsTarget: stepsPerSecond.mean >= targetStepsPerSecond,
    bandShareMeetingTarget: bandShareFrom(targetStepsPerSecond, stepsPerSecond),
    bottleneck
  }
}

/** Share of the band at or above a rate. Of a band without width: all or nothing. */
function bandShareFrom(rate: number, { band95: [low, high] }: Estimate): number {
  if (!(high > low)) return low >= rate ? 1 : 0
  return Math.min(1, Math.max(0, (high - rate) / (high - low)))
}

/** The row with the least cost an hour whose mean meets the target; of equally cheap ones the fastest. Null when none meets it. */
export function cheapestOf(rows: readonly PlanRow[]): PlanRow | null {
  const [first] = rows.filter(row => row.meetsTarget).sort(byCost)
  return first ?? null
}

/** The row with the highest mean throughput; of equally fast ones the cheapest. */
export function fastestOf(rows: readonly PlanRow[]): PlanRow {
  return [...rows].sort((a, b) => b.stepsPerSecond.mean - a.stepsPerSecond.mean || byCost(a, b))[0]
}

/**
 * The Pareto front: rows to which no other is preferable, that is, at most as costly and at least as fast, and one of the two strictly.
 * Of rows equal in both, the one with fewer hosts stands for all. Cheapest first, so throughput ascends.
 */
export function paretoFrontOf(rows: readonly PlanRow[]): PlanRow[] {
  const front: PlanRow[] = []
  for (const row of [...rows].sort(byCost)) {
    const last = front.at(-1)
    if (last === undefined || row.stepsPerSecond.mean > last.stepsPerSecond.mean) front.push(row)
  }
  return front
}

/** Cheapest first, then the fastest, then the one with fewer hosts. */
export function byCost(a: PlanRow, b: PlanRow): number {
  return (
    a.costPerHour - b.costPerHour ||
    b.stepsPerSecond.mean - a.stepsPerSecond.mean ||
    a.workers + a.servers - (b.workers + b.servers)
  )
}
