/** Every number that the model assumes stands in defaults.json; those that were used are reported with a prediction. */
import data from './defaults.json' with { type: 'json' }

/** A constant of the model that no trace or flag gave. */
export interface Default {
  readonly value: number
  readonly unit: string
  /** Where the number comes from. */
  readonly source: string
}

/** How one connection fares beside others; see shares.ts. */
export interface ShareDefault {
  /** Share of a newcomer in its first moments, relative to those who are there. */
  readonly startWeight: number
  readonly startRateExponent: number
  /** Until it has its whole share. */
  readonly rampUs: number
  readonly rampRateExponent: number
  /** Half-width of the random factor's deviation. */
  readonly spread: number
}

/** Written out, because declaration files know nothing of JSON; a wrong or missing name does not compile. */
export type DefaultName =
  | 'epsilonUs'
  | 'contractionShare'
  | 'mergedShare'
  | 'stepOverheadUs'
  | 'latencyUs'
  | 'parsePerByteUs'
  | 'parseFixedUs'
  | 'parseSlots'
  | 'serverCores'
  | 'ethernetPayload'
  | 'ackFraction'
  | 'bufferUs'
  | 'fullQueueShare'
  | 'loopbackBytesPerUs'
  | 'longestRampUs'
  | 'firstWindowBytes'
  | 'windowShortfallBytes'
  | 'laterTurnExtraBytes'
  | 'oldWindowBytes'
  | 'precision'
  | 'fewestReplications'
  | 'mostReplications'
  | 'mostReplicationsOfFew'
  | 'fewWorkers'
  | 'warmUpSteps'
  | 'fewestMeasuredSteps'
  | 'measuredStepsPerWorker'
  | 'measuredRounds'
  | 'capacityRaise'
  | 'idleUtilisation'
  | 'templateSpread'
  | 'runToRunShare'
  | 'goodputShare'
  | 'leastOrders'
  | 'partitionBytes'
  | 'creditPartitions'
  | 'accumulateScale'

/**
 * Every constant of the model by its name, each with unit and source; docs/method.md §12 explains them, and a prediction lists those it used
 * (`parameters`).
 */
export const defaults: Readonly<Record<DefaultName, Default>> = data.constants

/** Rows beside one, two, three or more others, at the reference rate; rates are bytes of payload per µs. */
export const shareDefaults: {
  readonly source: string
  readonly referenceBytesPerUs: number
  readonly fewestBytesPerUs: number
  readonly mostBytesPerUs: number
  /** Depth of queue from which on pulls share equally. */
  readonly fairPullBufferUs: number
  /** The ramps of pushes go with this power of the depth. */
  readonly pushRampDepthExponent: number
  readonly pull: readonly ShareDefault[]
  readonly push: readonly ShareDefault[]
} = data.shares
