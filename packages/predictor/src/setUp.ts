import type { Cluster, Core } from '@foretrain/core-wasm'
import type { Profile } from '@foretrain/trace-parser'
import { linkTimesUs } from './bounds.ts'
import { type Calibration, calibrate } from './calibrate/calibrate.ts'
import { grownWindows } from './calibrate/grownWindows.ts'
import { playInOrder } from './calibrate/oneWorker.ts'
import { scaleToStepTime } from './calibrate/stepTime.ts'
import { buildCluster } from './cluster.ts'
import { colocated, isColocated, meanHostDemands } from './colocation.ts'
import { type CompiledJob, compile, computeSlotsOf } from './compile/compile.ts'
import { defaults } from './defaults.ts'
import { type Demands, demandsOf } from './demands.ts'
import { clusterOfHosts, type HostRates, hostRates } from './hosts/hostRates.ts'
import { coresOf } from './hosts/hosts.ts'
import { clusterMode } from './mode.ts'
import { defaultPlacement, numbersOfServers, type Placement } from './placement/place.ts'
import { rePlaced } from './placement/rePlace.ts'
import { type OrderedSteps, StepOrders } from './policies/stepOrders.ts'
import type { Question } from './question.ts'
import { replay } from './replay.ts'
import type { Mode, Replay } from './schema.ts'
import { describeTransport, type NetworkOptions, type Path, type Transport } from './transport.ts'
import { recordedCompute } from './unequalWorkers.ts'

/** What a trace says, whatever is asked of it. */
export interface TraceSetUp {
  compiled: CompiledJob
  calibration: Calibration
  replay: Replay
  /** What profiling added to the compute of the traces, as a factor that takes it out. */
  computeScale: number
}

/** What all points of a prediction with as many servers share. */
export interface SetUp extends OrderedSteps {
  /** Of the job on its servers: that of the traces, unless variables were placed elsewhere. */
  profile: Profile
  /** Whether a variable is on another server than in the traces, or in parts. */
  rePlaced: boolean
  /** In the order of the trace. */
  compiled: CompiledJob
  /** Other orders of the same steps. */
  orders: StepOrders
  calibration: Calibration
  replay: Replay
  path: Path
  transport: Transport
  network: NetworkOptions
  /** Of the compute of the traces: what profiling added is out, and the asked speed in. */
  computeScale: number
  /** Factor on that of each worker, by its index. */
  slowdownOf: (worker: number) => number
  hosts: HostRates | undefined
  computeSlots: number
  serverCores: number
  /** --server-cores goes before what a list of servers says. */
  sameCores: boolean
  servers: number
  placement: Placement
  /** Servers are on workers' hosts. */
  colocate: boolean
  demands: Demands
  /** Mean step of the first worker alone on this path, µs; without overhead. */
  aloneUs: number
  /** How workers wait for each other; backups are those of the clusters asked for. */
  mode: Mode
  straggler: Question['straggler']
}

/** Profile → what was asked of it → set-up. Calibration takes far longer than a few short runs of a cluster. */
const known = new WeakMap<Profile, Map<string, TraceSetUp>>()

/** Compiles and calibrates the profile as it was traced; once for every way in which that is asked. The profile must not change afterwards. */
export function traceSetUp(core: Core, question: Question): TraceSetUp {
  const { profile, transport, windowBytes, parsePerByteUs, tracedLatencyUs, stepTimeUs } = question
  const asked = JSON.stringify([transport, String(windowBytes), parsePerByteUs, tracedLatencyUs, stepTimeUs])
  const ofProfile = known.get(profile) ?? new Map<string, TraceSetUp>()
  const made = ofProfile.get(asked) ?? makeTraceSetUp(core, question)
  known.set(profile, ofProfile.set(asked, made))
  return made
}

function makeTraceSetUp(core: Core, question: Question): TraceSetUp {
  const { profile, stepTimeUs } = question
  const transport = question.transport ?? 'auto'
  const compiled = compile(profile)
  const calibration = calibrate(core, profile, compiled, {
    transport,
    windowBytes: question.windowBytes,
    parsePerByteUs: question.parsePerByteUs,
    latencyUs: question.tracedLatencyUs
  })
  return {
    compiled,
    calibration,
    replay: replay(core, profile, compiled, calibration, transport),
    computeScale: stepTimeUs === undefined ? 1 : scaleToStepTime(core, profile, compiled, calibration, transport, stepTimeUs)
  }
}

/**
 * Applies what the question changes.
 *
 * @param servers default: the first number that the question asks for
 * @throws QuestionError when variables, placement or the asked step time do not fit the profile
 */
export function setUp(
  core: Core,
  question: Question,
  trace: TraceSetUp = traceSetUp(core, question),
  servers: number = numbersOfServers(question)[0]
): SetUp {
  const { profile: traced } = question
  const { calibration } = trace
  const transportAsked = question.transport ?? 'auto'
  const placement = question.placement ?? defaultPlacement(traced, servers)
  const profile = rePlaced(traced, { servers, placement, parts: question.variableParts ?? 1 })
  const latencyUs = question.latencyUs ?? calibration.path.latencyUs
  const recorded = calibration.path.firstTurns
  const path = {
    ...calibration.path,
    latencyUs,
    goodputBytesPerUs: goodputOf(question, calibration),
    // Recorded turns are those of the connections of the trace. Others get the one window that fits it best.
    firstTurns: profile === traced ? recorded && grownWindows(profile, recorded) : undefined
  }
  // The trace's latency is part of the recorded starts of pulls.
  const pullReleaseShiftUs = latencyUs - calibration.path.latencyUs
  const isTraced = pullReleaseShiftUs === 0 && profile === traced
  const compiled = isTraced ? trace.compiled : compile(profile, { pullReleaseShiftUs })
  const orders = new StepOrders({ ...question, profile }, { compiled, path, pullReleaseShiftUs })
  const serverCores = serverCoresOf(question)
  const network: NetworkOptions = {
    bufferUs: question.bufferUs,
    burstBytes: question.burstBytes,
    freeBurstBytes: question.freeBurstBytes,
    rampUs: question.rampUs,
    flowBytesPerUs: question.flowLimitBitsPerSecond && payloadOf(question.flowLimitBitsPerSecond, question, calibration),
    serverCost: serverCostOf(question, serverCores, path.parsePerByteUs)
  }
  const rateOf = (bits: number | undefined) =>
    bits === undefined ? path.goodputBytesPerUs : payloadOf(bits, question, calibration)
  const set = {
    profile,
    rePlaced: profile !== traced,
    compiled,
    orders,
    ...orders.of(question),
    calibration,
    replay: trace.replay,
    path,
    transport: describeTransport(transportAsked, path, network),
    network,
    computeScale: trace.computeScale / (question.computeSpeed ?? 1),
    slowdownOf: recordedCompute(question),
    hosts: question.hosts && hostRates(question.hosts, servers, rateOf, isColocated(question) ? servers : undefined),
    computeSlots: computeSlotsOf(profile),
    serverCores,
    sameCores: question.serverCores !== undefined,
    servers,
    placement,
    colocate: isColocated(question),
    demands: demandsOf(compiled.job, servers, network.serverCost, coreShares(question, serverCores)),
    mode: question.mode ?? 'async',
    straggler: question.straggler
  }
  const { spanUs } = playInOrder(core, set.job, clusterOf(set, 1), false)
  return { ...set, aloneUs: spanUs.reduce((sum, span) => sum + span, 0) / spanUs.length }
}

/** How many cores of a usual server each listed one stands for; undefined where all have as many. */
function coreShares({ serverCores, hosts }: Question, usual: number): number[] | undefined {
  if (serverCores !== undefined || hosts?.servers === undefined) return undefined
  return hosts.servers.map(({ cores }) => (cores ?? usual) / usual)
}

function serverCoresOf({ profile, serverCores, hosts }: Question): number {
  return serverCores ?? (hosts && coresOf(hosts)) ?? Math.max(defaults.serverCores.value, profile.concurrency.update)
}

/** Goodput of every NIC, bytes per µs: a nominal rate keeps the share of it that the trace reached, else that of the packets' payload. */
function goodputOf(question: Question, calibration: Calibration): number {
  const { bandwidthBitsPerSecond, tracedBandwidthBitsPerSecond } = question
  // What was calibrated stays as it is, bit for bit.
  if (bandwidthBitsPerSecond === undefined || bandwidthBitsPerSecond === tracedBandwidthBitsPerSecond)
    return calibration.path.goodputBytesPerUs
  return payloadOf(bandwidthBitsPerSecond, question, calibration)
}

function payloadOf(bitsPerSecond: number, question: Question, { path }: Calibration): number {
  const { tracedBandwidthBitsPerSecond, payloadFraction } = question
  const nominal = bitsPerSecond / 8e6
  if (tracedBandwidthBitsPerSecond === undefined) return nominal * (payloadFraction ?? defaults.ethernetPayload.value)
  return nominal * (path.goodputBytesPerUs / (tracedBandwidthBitsPerSecond / 8e6))
}

/** Undefined when the question gives no cost. Of what it gives only one of, the other is as without: nothing for pulls, parsing for pushes. */
function serverCostOf(
  { serverMessageUs, serverPerByteUs, transport }: Question,
  slots: number,
  parsePerByteUs: number
): NetworkOptions['serverCost'] {
  if (serverMessageUs === undefined && serverPerByteUs === undefined) return undefined
  const parseFixedUs = transport === 'simple' ? 0 : defaults.parseFixedUs.value
  return {
    slots,
    pull: { perByteUs: serverPerByteUs ?? 0, fixedUs: serverMessageUs ?? 0 },
    push: { perByteUs: serverPerByteUs ?? parsePerByteUs, fixedUs: serverMessageUs ?? parseFixedUs }
  }
}

/** The simulator's cluster of so many workers: hosts, links, slots, the mode and what slows workers down, in µs and bytes of payload. */
export function clusterOf(set: Omit<SetUp, 'aloneUs'>, workers: number, transport: Transport = set.transport): Cluster {
  const shape = {
    workers,
    servers: set.servers,
    goodputBytesPerUs: set.path.goodputBytesPerUs,
    computeSlots: set.computeSlots,
    updateSlots: set.serverCores,
    computeScale: set.computeScale,
    stepOverheadUs: defaults.stepOverheadUs.value,
    straggler: set.straggler,
    mode: clusterMode(set.mode, workers)
  }
  const built = buildCluster(shape, transport)
  const cluster = set.colocate ? colocated(built) : built
  const slowed = (host: Cluster['workers'][number], worker: number) => ({
    ...host,
    computeScale: host.computeScale * set.slowdownOf(worker)
  })
  const priority = set.priority && { priority: set.priority }
  return clusterOfHosts({ ...cluster, workers: cluster.workers.map(slowed), ...priority }, set.hosts, set.sameCores)
}

/**
 * About how long a step takes among so many workers: alone, or as long as the fullest resource needs for one step of each. Workers that have
 * been running for long are anywhere within it.
 */
export function roughCycleUs(set: SetUp, workers: number): number {
  const { path, serverCores } = set
  const demands = set.colocate ? meanHostDemands(set.demands, workers) : set.demands
  const aloneUs = set.aloneUs + defaults.stepOverheadUs.value
  const rates = { goodputBytesPerUs: path.goodputBytesPerUs, serverBytesPerUs: set.hosts?.serverBytesPerUs }
  const linkUs = Math.max(...linkTimesUs(demands.pullBytes, rates), ...linkTimesUs(demands.pushBytes, rates))
  const cpuUs = Math.max(...demands.updateUs, ...demands.messageUs) / serverCores
  return Math.max(aloneUs, workers * linkUs, workers * cpuUs)
}
