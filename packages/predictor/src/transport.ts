import type { Parse, TurnBytes } from '@foretrain/core-wasm'
import { defaults } from './defaults.ts'
import type { TransportName } from './question.ts'
import { type Shares, sharesOf } from './shares.ts'

/** How bytes travel, apart from the rate of links. */
export interface Transport {
  name: Exclude<TransportName, 'auto'>
  turns: TurnBytes
  parse: Parse
  latencyUs: number
  ackFraction: number
  /** How flows share a link with others; undefined = equally. */
  shares?: Shares
  /** What the data of other workers delays a request or the end of a step. First turns are not delayed: the measured shares contain that. */
  queueUs: number
  /** What a token bucket in front of a NIC lets through at once after a pause. */
  burstBytes: number
  /** Payload of a single connection at most, bytes per µs; Infinity = as its links allow. */
  flowBytesPerUs: number
  /** What messages cost a server's cores; undefined = pulls nothing, pushes `parse`. */
  serverCost?: ServerCost
}

/** What a message costs one core of a server. */
export interface ServerCost {
  slots: number
  pull: MessageCost
  push: MessageCost
}

/** µs of one core for a message: perByteUs · bytes + fixedUs. */
export interface MessageCost {
  perByteUs: number
  fixedUs: number
}

/** What the trace, or a flag, says about the path between worker and server. */
export interface Path {
  /** Payload of a link in one direction. */
  goodputBytesPerUs: number
  /** First turn of a stream; Infinity where no tensor needs a second one. */
  windowBytes: number
  /**
   * [k] instead of one window for all: first turns of each recorded step, parallel to the profile's operations, as they were read off its
   * ends. Infinity where a stream went in one turn. What is left of a stream then goes in its second turn.
   */
  firstTurns?: readonly Float64Array[]
  parsePerByteUs: number
  latencyUs: number
}

/** Windows that gRPC is known to reach: doublings of the initial one, and the steady state of older versions; ascending, "none" last. */
export function windowCandidates(transport: TransportName, largestTensorBytes: number): number[] {
  const { firstWindowBytes, windowShortfallBytes, oldWindowBytes } = defaults
  const doublings: number[] = []
  for (let bytes: number = firstWindowBytes.value; bytes <= 2 ** 30; bytes *= 2) doublings.push(bytes - windowShortfallBytes.value)
  const known = {
    auto: [...doublings, oldWindowBytes.value],
    'grpc-tf1': [oldWindowBytes.value],
    'grpc-tf2': doublings,
    whole: [],
    simple: [...doublings, oldWindowBytes.value]
  }[transport]
  // Windows that no tensor exceeds are the same as none.
  return [...known.filter(bytes => bytes < largestTensorBytes).sort((a, b) => a - b), Number.POSITIVE_INFINITY]
}

/**
 * What a first turn can be when windows are `candidates`: the stream's own window, or less, because the connection's window is of the same
 * size and has what is in socket buffers out. Turns between one half of a window and all of it are seen.
 */
export function firstTurnCandidates(candidates: readonly number[], largestTensorBytes: number): number[] {
  const turns = new Set<number>()
  for (const windowBytes of [...candidates.filter(bytes => bytes < largestTensorBytes), nextDoubling(largestTensorBytes)]) {
    for (const eighths of [5, 6, 7, 8]) {
      const turn = Math.floor((windowBytes * eighths) / 8)
      if (turn < largestTensorBytes) turns.add(turn)
    }
  }
  return [...[...turns].sort((a, b) => a - b), Number.POSITIVE_INFINITY]
}

function nextDoubling(bytes: number): number {
  let windowBytes: number = defaults.firstWindowBytes.value
  while (windowBytes - defaults.windowShortfallBytes.value < bytes) windowBytes *= 2
  return windowBytes - defaults.windowShortfallBytes.value
}

/** Turns of a stream when its first may have `windowBytes`. */
function turnsOf(transport: TransportName, windowBytes: number): TurnBytes {
  if (transport === 'whole' || windowBytes === Number.POSITIVE_INFINITY)
    return { first: Number.POSITIVE_INFINITY, later: Number.POSITIVE_INFINITY }
  if (transport === 'simple') return { first: windowBytes, later: windowBytes }
  // Old receivers announce the whole rest of a message once its first bytes are in, newer ones 1 MiB above the window.
  const old = transport === 'grpc-tf1' || (transport === 'auto' && windowBytes === defaults.oldWindowBytes.value)
  return { first: windowBytes, later: old ? Number.POSITIVE_INFINITY : windowBytes + defaults.laterTurnExtraBytes.value }
}

/** The concrete transport that `auto` turns out to be: the one whose window was found; `whole` when none shows, since every gRPC looks alike then. */
function transportName(transport: TransportName, windowBytes: number): Transport['name'] {
  if (transport !== 'auto') return transport
  if (windowBytes === Number.POSITIVE_INFINITY) return 'whole'
  return turnsOf('auto', windowBytes).later === Number.POSITIVE_INFINITY ? 'grpc-tf1' : 'grpc-tf2'
}

/** What a caller said of the network beyond the path; the defaults hold for the rest. */
export interface NetworkOptions {
  /** Depth of the queue in front of a link. */
  bufferUs?: number
  /** Depth of the token bucket that shapes a link; what it holds back waits in the same queue. */
  burstBytes?: number
  /** What it lets through at once after a pause. */
  freeBurstBytes?: number
  /** Time in which a newcomer grows to its share, beside any number of others. */
  rampUs?: number
  flowBytesPerUs?: number
  serverCost?: ServerCost
}

export function describeTransport(transport: TransportName, path: Path, network: NetworkOptions = {}): Transport {
  const simple = transport === 'simple'
  const bufferUs = network.bufferUs ?? defaults.bufferUs.value
  const recorded = path.firstTurns !== undefined && !simple
  return {
    name: transportName(transport, path.windowBytes),
    turns: turnsOf(recorded ? 'whole' : transport, path.windowBytes),
    parse: { slots: defaults.parseSlots.value, perByteUs: path.parsePerByteUs, fixedUs: simple ? 0 : defaults.parseFixedUs.value },
    latencyUs: path.latencyUs,
    ackFraction: simple ? 0 : defaults.ackFraction.value,
    shares: simple ? undefined : sharesOf(path.goodputBytesPerUs, bufferUs, network.rampUs),
    queueUs: simple ? 0 : defaults.fullQueueShare.value * (bufferUs + (network.burstBytes ?? 0) / path.goodputBytesPerUs),
    burstBytes: simple ? 0 : (network.freeBurstBytes ?? 0),
    flowBytesPerUs: network.flowBytesPerUs ?? Number.POSITIVE_INFINITY,
    serverCost: network.serverCost
  }
}
