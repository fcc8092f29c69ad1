import type { Profile } from '@foretrain/trace-parser'
import type { Hosts } from './hosts/hosts.ts'
import type { Placement } from './placement/place.ts'
import type { PolicyName } from './policies/names.ts'
import type { OrderFile } from './policies/orderFile.ts'
import type { Policy } from './policies/policy.ts'
import type { PrioritySettings } from './policies/priority.ts'
import type { Mode, Point } from './schema.ts'

export type { Hosts, ServerHost, WorkerGroup } from './hosts/hosts.ts'
export type { Placement } from './placement/place.ts'

/**
 * How transfers travel: the HTTP/2 windows of gRPC in TensorFlow 1 or 2, found by calibration (auto), tensors whole, or links shared equally
 * (simple). docs/method.md §3.
 */
export type TransportName = 'auto' | 'grpc-tf1' | 'grpc-tf2' | 'whole' | 'simple'

/** What a caller asks. Everything but the profile and the workers has a default. Times µs, sizes bytes, rates as named. */
export interface Question {
  profile: Profile
  /** Cluster sizes, in the order of the points. */
  workers: number[]
  /** Numbers of servers, in the order of the points: all workers of the first, then of the next. Default: as many as `hosts` lists, else as the traces show. */
  servers?: number[]
  /** Which server holds which variable. Default: as in the traces for as many servers, else round-robin. */
  placement?: Placement
  /** Parts of each variable, which are variables of their own. Default 1. */
  variableParts?: number
  /** Hosts that differ from each other; for what they do not say the rest of the question holds. Default: all alike. */
  hosts?: Hosts
  /** Nominal rate of every host in bits per second. Default: as calibrated from the profile. */
  bandwidthBitsPerSecond?: number
  /** Nominal rate at which the traces were taken. */
  tracedBandwidthBitsPerSecond?: number
  /** Payload of that rate, where `tracedBandwidthBitsPerSecond` does not tell it. Default 1448/1538, TCP on Ethernet. */
  payloadFraction?: number
  /** One way. */
  latencyUs?: number
  /** One way, while the traces were taken. Default 50. Alone it leaves the prediction's latency at the same. */
  tracedLatencyUs?: number
  /** Depth of the queue in front of a NIC, as time at its rate. Default 5000. */
  bufferUs?: number
  /** Depth of the token bucket in front of a NIC. What it holds back waits in the same queue as what exceeds the rate. */
  burstBytes?: number
  /**
   * What that bucket lets through at once after a pause. Not set by a case: with it, predictions of the measured clusters are worse
   * (docs/method.md §4).
   */
  freeBurstBytes?: number
  /** Nominal rate that a single connection gets at most. Default: that of its links. */
  flowLimitBitsPerSecond?: number
  /** Server j is on the host of worker j, and they share its NIC; there are at least as many workers. Default: servers have hosts of their own. */
  colocate?: boolean
  /** Worker index → factor by which its compute is slower than an unslowed worker's. Who is not listed is not slowed. */
  computeSlowdown?: Readonly<Record<number, number>>
  /** The worker of the traces: its own factor is part of what they recorded and is divided out. Default 0. */
  tracedWorker?: number
  /** Examples in a worker's step. Default 1. */
  batchSize?: number
  /** Order of the transfers: a name, or a policy of the caller's own. Default recorded. */
  policy?: PolicyName | Policy
  /** The files of the policies "order:…", by these names. */
  orders?: Readonly<Record<string, OrderFile>>
  /** Settings of the policy "priority". */
  priority?: PrioritySettings
  /** How workers wait for each other. Default async. */
  mode?: Mode
  /** Steps of every worker whose compute takes `factor` times as long, each with this probability. Default: none. */
  straggler?: { probability: number; factor: number }
  transport?: TransportName
  windowBytes?: number
  rampUs?: number
  parsePerByteUs?: number
  serverCores?: number
  /**
   * What every message, pull or push, and every byte of one costs one of the server's cores. Given either, pulls and pushes share the cores;
   * without, pulls cost nothing and pushes what receiving costs a worker.
   */
  serverMessageUs?: number
  serverPerByteUs?: number
  /** The unprofiled step: compute is rescaled so that one worker meets it. */
  stepTimeUs?: number
  /** Factor by which every worker computes faster than the traced one: speeds of `hosts` are times this. Default 1. */
  computeSpeed?: number
  /** Half-width of the 95 % interval, relative: replications are added until it is met. Default 0.01. */
  precision?: number
  /** Fixed number of replications and measured steps per worker instead of `precision`. */
  fixed?: { replications: number; steps: number }
  seed?: number
}

/** How far a question is. */
export interface Progress {
  /** Points finished and in all. */
  done: number
  total: number
  /** Being simulated. */
  workers: number
  /** Of all the work, 0 to 1, about: how many replications a point needs shows only when they are done. From `predict` alone. */
  share?: number
}

/** What a caller may be told while a prediction runs, and how it can be ended. */
export interface PredictHooks {
  onProgress?: (progress: Progress) => void
  /** A point as soon as it is finished, in the order of the points. */
  onPoint?: (point: Point) => void
  signal?: AbortSignal
}

/** The question cannot be answered as asked (exit code 2 in the command): one line that names the field and what would be right. */
export class QuestionError extends Error {
  override name = 'QuestionError'
}
