import type { Grid, SweepPlan } from './plan.ts'

/** Points of a sweep that are simulated together, from the first number to before the last. They share a set-up. */
export interface Chunk {
  from: number
  to: number
}

/**
 * Simulated worker-steps of a chunk, about: a second of work. Beside that the exchange of a job, some milliseconds with Redis, is little, and no thread waits long
 * for the last one.
 */
const stepsOfChunk = 20_000
/** Chunks for each of the threads, at least, where there are points enough. */
const chunksPerThread = 4
/** What a point costs beyond its steps, in steps. */
const fixedSteps = 20
/** Runs of a cluster until the interval is as narrow as asked for, and steps of a worker in each: about, in the mean. */
const usual = { replications: 8, stepsPerWorker: 14, fewestSteps: 70 }

/**
 * Cuts a sweep into chunks of about equal work, in the order of its points.
 *
 * @param threads that will simulate; each is to have several chunks where there are points enough
 */
export function* chunksOf(grid: Grid, plan: SweepPlan, threads: number): Generator<Chunk> {
  const most = Math.min(stepsOfChunk, totalSteps(grid, plan) / (threads * chunksPerThread))
  let from = 0
  let steps = 0
  for (let point = 0; point < grid.size; point++) {
    const cost = stepsOf(plan, grid.at(point).workers)
    const isNewSetUp = point % grid.pointsPerSetUp === 0
    if (point > from && (isNewSetUp || steps + cost > most)) {
      yield { from, to: point }
      from = point
      steps = 0
    }
    steps += cost
  }
  if (from < grid.size) yield { from, to: grid.size }
}

function totalSteps(grid: Grid, plan: SweepPlan): number {
  const { workers } = plan.axes
  const ofWorkers = workers.reduce((sum, count) => sum + stepsOf(plan, count), 0)
  return (ofWorkers / workers.length) * grid.size
}

function stepsOf({ common: { fixed } }: SweepPlan, workers: number): number {
  if (fixed !== undefined) return fixedSteps + fixed.replications * fixed.steps * 1.2 * workers
  return fixedSteps + usual.replications * Math.max(usual.fewestSteps, usual.stepsPerWorker * workers)
}
