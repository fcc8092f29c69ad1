import type { Question } from '@foretrain/predictor'
import {
  bandwidth,
  burstSize,
  delay,
  duration,
  type PolicyFlags,
  parseChoice,
  parseCost,
  parseFactor,
  parseMode,
  parsePolicy,
  parsePriority,
  parseQuantity,
  parseStraggler,
  parseWhole,
  precision,
  windowSize
} from '@foretrain/predictor/text'
import type { ClusterAsked } from '../cluster/clusterFile.ts'
import { CommandLineError } from '../errors.ts'
import { type ClusterFiles, type ClusterFlags, parseClusterFlags } from './cluster.ts'
import type { SizesFlag } from './sizes.ts'

/** What inspect may be told about the model. */
export type InspectOptions = Pick<Question, 'transport'>

/** Flags as they stand on the command line. */
export interface PredictFlags extends ClusterFlags, PolicyFlags, SizesFlag {
  bandwidth?: string
  latency?: string
  buffer?: string
  burst?: string
  batch?: string
  mode?: string
  straggler?: string
  tracedBandwidth?: string
  transport?: string
  window?: string
  ramp?: string
  parseCost?: string
  serverCores?: string
  messageCost?: string
  byteCost?: string
  flowLimit?: string
  colocate?: boolean
  stepTime?: string
  computeSpeed?: string
  precision?: string
  replications?: string
  steps?: string
  seed?: string
  jobs?: string
}

export const transports = ['auto', 'grpc-tf1', 'grpc-tf2', 'whole', 'simple'] as const
/** Of `--replications` and `--steps`, when only the other is given. */
const fixedDefaults = { replications: 4, steps: 200 }

/** Reads the flags of `inspect` that concern the model. */
export function parseInspectFlags(flags: { transport?: string }): InspectOptions {
  return withoutUndefined({ transport: optional(flags.transport, parseTransport) })
}

/**
 * Reads the flags of `predict` into a question that lacks only its profile; refuses what it does not understand. Absent flags stay absent:
 * the predictor knows the defaults.
 *
 * @param windowFlag what the flow-control window is called, for messages
 */
export function parsePredictFlags(
  flags: PredictFlags,
  files: ClusterFiles = {},
  windowFlag = '--window'
): Omit<Question, 'profile'> {
  const cluster = parseClusterFlags(flags, files)
  const asked = files.cluster?.asked
  if (flags.tracedBandwidth !== undefined && flags.flowLimit === undefined && flags.bandwidth === undefined && !hasBandwidth(asked))
    throw new CommandLineError('--traced-bandwidth changes nothing alone: add --bandwidth or --flow-limit, which it scales')
  return withoutUndefined({
    ...cluster,
    bandwidthBitsPerSecond:
      optional(flags.bandwidth, text => parseQuantity('--bandwidth', text, bandwidth)) ?? asked?.bandwidthBitsPerSecond,
    latencyUs: optional(flags.latency, text => parseQuantity('--latency', text, delay)) ?? asked?.latencyUs,
    bufferUs: optional(flags.buffer, text => parseQuantity('--buffer', text, delay)) ?? asked?.bufferUs,
    freeBurstBytes: optional(flags.burst, text => parseQuantity('--burst', text, burstSize)),
    batchSize: optional(flags.batch, text => parseWhole('--batch', text, 1, 1_000_000_000)),
    policy: optional(flags.policy, parsePolicy),
    priority: parsePriority(flags, [flags.policy ?? '']),
    mode: optional(flags.mode, text => parseMode(text, cluster.workers)),
    straggler: optional(flags.straggler, parseStraggler),
    tracedBandwidthBitsPerSecond: optional(flags.tracedBandwidth, text => parseQuantity('--traced-bandwidth', text, bandwidth)),
    transport: optional(flags.transport, parseTransport),
    windowBytes: optional(flags.window, text => parseQuantity(windowFlag, text, windowSize)),
    rampUs: optional(flags.ramp, text => parseQuantity('--ramp', text, delay)),
    parsePerByteUs: optional(flags.parseCost, text => parseQuantity('--parse-cost', text, parseCost)),
    serverCores: optional(flags.serverCores, text => parseWhole('--server-cores', text, 1, 4096)),
    serverMessageUs: optional(flags.messageCost, text => parseQuantity('--message-cost', text, delay)),
    serverPerByteUs: optional(flags.byteCost, text => parseQuantity('--byte-cost', text, parseCost)),
    flowLimitBitsPerSecond: optional(flags.flowLimit, text => parseQuantity('--flow-limit', text, bandwidth)),
    colocate: flags.colocate,
    stepTimeUs: optional(flags.stepTime, text => parseQuantity('--step-time', text, duration)),
    computeSpeed: optional(flags.computeSpeed, text => parseFactor('--compute-speed', text, 1e-6, 1e6)),
    ...parseEffort(flags)
  })
}

/** Whether a cluster file gives any rate. */
function hasBandwidth(asked: ClusterAsked | undefined): boolean {
  if (asked === undefined) return false
  const { hosts, bandwidthBitsPerSecond } = asked
  const own = [...hosts.workers, ...(hosts.servers ?? [])].map(host => host.bandwidthBitsPerSecond)
  return [bandwidthBitsPerSecond, ...own].some(rate => rate !== undefined)
}

function parseTransport(text: string): (typeof transports)[number] {
  return parseChoice('--transport', text, transports)
}

/** Reads what `predict` and `validate` share: how much is simulated, and with which random numbers. */
export function parseEffort(
  flags: Pick<PredictFlags, 'precision' | 'replications' | 'steps' | 'seed'>
): Pick<Question, 'precision' | 'fixed' | 'seed'> {
  return withoutUndefined({
    ...parseStopRule(flags),
    seed: optional(flags.seed, text => parseWhole('--seed', text, 0, 0xffff_ffff))
  })
}

function parseStopRule(flags: Pick<PredictFlags, 'precision' | 'replications' | 'steps'>): Pick<Question, 'precision' | 'fixed'> {
  const replications = optional(flags.replications, text => parseWhole('--replications', text, 1, 10_000))
  const steps = optional(flags.steps, text => parseWhole('--steps', text, 1, 1_000_000))
  if (replications === undefined && steps === undefined) {
    return { precision: optional(flags.precision, text => parseQuantity('--precision', text, precision)) }
  }
  if (flags.precision !== undefined) {
    const other = replications === undefined ? '--steps' : '--replications'
    throw new CommandLineError(`--precision and ${other} exclude each other: one is a goal, the other a fixed amount of work`)
  }
  return { fixed: { replications: replications ?? fixedDefaults.replications, steps: steps ?? fixedDefaults.steps } }
}

function optional<Value>(text: string | undefined, parse: (text: string) => Value): Value | undefined {
  return text === undefined ? undefined : parse(text)
}

function withoutUndefined<Values extends object>(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values
}

/** Most threads to use; undefined = as many as the machine runs at once. */
export function parseJobs(flags: { jobs?: string }): number | undefined {
  return optional(flags.jobs, text => parseWhole('--jobs', text, 1, 1024))
}
