import type { Cluster, Statistics } from '@foretrain/core-wasm'
import type { Demands } from '../demands.ts'

/** Added to the idle share of a link: what acknowledgements take from one that is never idle, and some for chance. */
const leastIdle = 0.03

/** A resource and how its work is counted. */
interface CountedResource {
  /** What a step keeps it busy for when nothing else is in the way, µs. */
  stepUs: number
  /** Whether what is counted has been done: bytes are when they were sent, compute and updates already when they come. */
  isLink: boolean
  /** Steps counted since the statistics began. */
  steps(statistics: Statistics): number
}

/** Work of a run up to one time. */
export interface WorkDone {
  /** By resource, in steps. */
  steps: Float64Array
  elapsedUs: number
}

/**
 * Work done in steps, from the counters of a simulation: the mean over all resources of what each has done over what one step asks of it. In the long
 * run every weighting counts each step as 1. The weights here count a step that is under way by about the share of its work that is done: with
 * many workers that matters, because they move in convoys, and the steps under way at the two edges of a window are then far more or far fewer
 * than half done, all at once. A resource weighs as much as the time that a step takes on it, and a link the more the less idle it is: what one that is
 * never idle has sent hardly depends on where the window begins.
 */
export class WorkCount {
  readonly #resources: CountedResource[]

  constructor(cluster: Cluster, demands: Demands) {
    this.#resources = resourcesOf(cluster, demands)
  }

  done(statistics: Statistics): WorkDone {
    return { steps: Float64Array.from(this.#resources, resource => resource.steps(statistics)), elapsedUs: statistics.elapsedUs }
  }

  /**
   * Weights of the resources, which add up to 1.
   *
   * @param done at the end of the run
   * @returns undefined when a step asks for nothing that is counted
   */
  weights({ steps, elapsedUs }: WorkDone): Float64Array | undefined {
    const weights = Float64Array.from(this.#resources, ({ stepUs, isLink }, index) => {
      const busyShare = isLink && elapsedUs > 0 ? Math.min(1, (steps[index] * stepUs) / elapsedUs) : 0
      return stepUs / (1 + leastIdle - busyShare)
    })
    const sum = total(weights)
    return sum > 0 ? weights.map(weight => weight / sum) : undefined
  }
}

/** Resources of which a step asks for nothing, or that take no time for it, are left out. */
function resourcesOf({ workers, servers, updateSlots }: Cluster, demands: Demands): CountedResource[] {
  const scales = workers.map(
    ({ computeScale, straggler }) => computeScale * (straggler ? 1 + straggler.probability * (straggler.factor - 1) : 1)
  )
  const compute: CountedResource = {
    stepUs: (demands.computeUs * total(scales)) / workers.length,
    isLink: false,
    // What a compute operation costs is scaled by its host; divided out, each counts as one.
    steps: ({ computeBusyUs }) => scales.reduce((sum, scale, worker) => sum + computeBusyUs[worker] / scale, 0) / demands.computeUs
  }
  const ofServers = servers.flatMap(({ outBytesPerUs, inBytesPerUs, updateScale, updateSlots: own }, server): CountedResource[] => {
    // Demands are in core time of a usual server.
    const updateUs = (demands.updateUs[server] * (own ?? updateSlots)) / updateSlots
    return [
      {
        stepUs: demands.pullBytes[server] / outBytesPerUs,
        isLink: true,
        steps: ({ pullBytes }) => pullBytes[server] / demands.pullBytes[server]
      },
      {
        stepUs: demands.pushBytes[server] / inBytesPerUs,
        isLink: true,
        steps: ({ pushBytes }) => pushBytes[server] / demands.pushBytes[server]
      },
      {
        stepUs: updateUs * updateScale,
        isLink: false,
        steps: ({ updateBusyUs }) => updateBusyUs[server] / updateScale / updateUs
      }
    ]
  })
  return [compute, ...ofServers].filter(({ stepUs }) => stepUs > 0)
}

function total(values: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]
  return sum
}
