import { defaults } from '../defaults.ts'
import type { PredictHooks, Question } from '../question.ts'
import { clusterOf, type SetUp } from '../setUp.ts'
import { planFor } from '../simulate/replicate.ts'

/** Runs of a point beyond its replications, in lengths of one: resources that are raised, for half as long, and equal sharing. */
const furtherRuns = 3.5
/** A point may need more replications than the fewest, and then the work is more than was expected. */
const mostBeforeTheEnd = 0.99

/** How far a prediction is, for whoever wants to be told. */
export class HowFar {
  readonly #tell: PredictHooks['onProgress']
  readonly #total: number
  readonly #expectedSteps: number
  #steps = 0
  #done = 0
  #workers = 0

  constructor(question: Question, sets: readonly SetUp[], tell: PredictHooks['onProgress']) {
    this.#tell = tell
    this.#total = sets.length * question.workers.length
    this.#expectedSteps = tell === undefined ? 0 : expectedSteps(question, sets)
  }

  begins(workers: number): void {
    this.#workers = workers
    this.#say()
  }

  simulated(steps: number): void {
    this.#steps += steps
    this.#say()
  }

  ended(): void {
    this.#done += 1
    this.#say()
  }

  #say(): void {
    const [done, total, workers] = [this.#done, this.#total, this.#workers]
    const share = done === total ? 1 : Math.min(this.#steps / this.#expectedSteps, mostBeforeTheEnd)
    this.#tell?.({ done, total, workers, share })
  }
}

/**
 * Worker-steps that will be simulated for all points, about: each with the fewest replications. What a step costs grows little with the cluster, so
 * this goes with the time that is left.
 */
function expectedSteps({ workers, fixed }: Question, sets: readonly SetUp[]): number {
  const runs = (fixed?.replications ?? defaults.fewestReplications.value) + furtherRuns
  const ofPoint = (set: SetUp, size: number) => {
    const { warmUp, measured } = planFor(clusterOf(set, size), fixed?.steps)
    return runs * (warmUp + measured)
  }
  return sets.reduce((sum, set) => workers.reduce((sum, size) => sum + ofPoint(set, size), sum), 0)
}
