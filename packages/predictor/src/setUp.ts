import type { Cluster, Core, Job } from '@foretrain/core-wasm'
import { type Calibration, calibrate } from './calibrate/calibrate.ts'
import { grownWindows } from './calibrate/grownWindows.ts'
import { scaleToStepTime } from './calibrate/stepTime.ts'
import { buildCluster } from './cluster.ts'
import { checkHosts, colocated, meanHostDemands } from './colocation.ts'
import { type CompiledJob, compile, computeSlotsOf } from './compile/compile.ts'
import { jobOnPath } from './compile/firstTurns.ts'
import { defaults } from './defaults.ts'
import { type Demands, demandsOf } from './demands.ts'
import type { Question } from './question.ts'
import { replay } from './replay.ts'
import type { Replay } from './schema.ts'
import { describeTransport, type NetworkOptions, type Path, type Transport } from './transport.ts'
import { recordedCompute } from './unequalWorkers.ts'

/** What all points of a prediction share. */
export interface SetUp {
  compiled: CompiledJob
  /** The compiled job on the path. */
  job: Job
  calibration: Calibration
  replay: Replay
  path: Path
  transport: Transport
  network: NetworkOptions
  computeScale: number
  /** Factor on that of each worker, by its index. */
  slowdownOf: (worker: number) => number
  computeSlots: number
  serverCores: number
  servers: number
  /** Servers are on workers' hosts. */
  colocate: boolean
  demands: Demands
}

/** Compiles and calibrates the profile and applies what the question changes. */
export function setUp(core: Core, question: Question): SetUp {
  const { profile } = question
  const transportAsked = question.transport ?? 'auto'
  const traced = compile(profile)
  const calibration = calibrate(core, profile, traced, {
    transport: transportAsked,
    windowBytes: question.windowBytes,
    parsePerByteUs: question.parsePerByteUs,
    latencyUs: question.tracedLatencyUs
  })
  const latencyUs = question.latencyUs ?? calibration.path.latencyUs
  const recorded = calibration.path.firstTurns
  const path = {
    ...calibration.path,
    latencyUs,
    goodputBytesPerUs: goodputOf(question, calibration),
    firstTurns: recorded && grownWindows(profile, recorded)
  }
  // The trace's latency is part of the recorded starts of pulls.
  const shiftUs = latencyUs - calibration.path.latencyUs
  const compiled = shiftUs === 0 ? traced : compile(profile, { pullReleaseShiftUs: shiftUs })
  const servers = Math.max(1, profile.servers.length)
  checkHosts(question, servers)
  const serverCores = question.serverCores ?? Math.max(defaults.serverCores.value, profile.concurrency.update)
  const network: NetworkOptions = {
    bufferUs: question.bufferUs,
    burstBytes: question.burstBytes,
    freeBurstBytes: question.freeBurstBytes,
    rampUs: question.rampUs,
    flowBytesPerUs: question.flowLimitBitsPerSecond && payloadOf(question.flowLimitBitsPerSecond, question, calibration),
    serverCost: serverCostOf(question, serverCores, path.parsePerByteUs)
  }
  return {
    compiled,
    job: jobOnPath(compiled, path),
    calibration,
    replay: replay(core, profile, traced, calibration, transportAsked),
    path,
    transport: describeTransport(transportAsked, path, network),
    network,
    computeScale:
      question.stepTimeUs === undefined
        ? 1
        : scaleToStepTime(core, profile, traced, calibration, transportAsked, question.stepTimeUs),
    slowdownOf: recordedCompute(question),
    computeSlots: computeSlotsOf(profile),
    serverCores,
    servers,
    colocate: question.colocate === true,
    demands: demandsOf(compiled.job, servers, network.serverCost)
  }
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

export function clusterOf(set: SetUp, workers: number, transport: Transport = set.transport): Cluster {
  const shape = {
    workers,
    servers: set.servers,
    goodputBytesPerUs: set.path.goodputBytesPerUs,
    computeSlots: set.computeSlots,
    updateSlots: set.serverCores,
    computeScale: set.computeScale,
    stepOverheadUs: defaults.stepOverheadUs.value
  }
  const built = buildCluster(shape, transport)
  const cluster = set.colocate ? colocated(built) : built
  const slowed = (host: Cluster['workers'][number], worker: number) => ({
    ...host,
    computeScale: host.computeScale * set.slowdownOf(worker)
  })
  return { ...cluster, workers: cluster.workers.map(slowed) }
}

/**
 * About how long a step takes among so many workers: alone, or as long as the fullest resource needs for one step of each. Workers that have
 * been running for long are anywhere within it.
 */
export function roughCycleUs(set: SetUp, workers: number): number {
  const { path, serverCores } = set
  const demands = set.colocate ? meanHostDemands(set.demands, workers) : set.demands
  const aloneUs = set.replay.simulatedMs * 1000 + defaults.stepOverheadUs.value
  const linkUs = Math.max(...demands.pullBytes, ...demands.pushBytes) / path.goodputBytesPerUs
  const cpuUs = Math.max(...demands.updateUs, ...demands.messageUs) / serverCores
  return Math.max(aloneUs, workers * linkUs, workers * cpuUs)
}
