/**
 * What the simulator is given: the job that every worker repeats and the cluster that it runs on.
 * Times are microseconds, sizes bytes, rates bytes per microsecond (= MB/s).
 */

/** What an operation of a step occupies. The values are part of the memory layout: see assembly/layout.ts. */
export const OperationKind = {
  /** Holds one of the worker's compute slots for `amount` µs. */
  compute: 0,
  /** Holds one of its server's update slots for `amount` µs. */
  update: 1,
  /** `amount` bytes from its server to the worker. */
  pull: 2,
  /** `amount` bytes from the worker to its server. */
  push: 3,
  /** Takes `amount` µs and occupies nothing. */
  delay: 4
} as const
export type OperationKind = (typeof OperationKind)[keyof typeof OperationKind]

/**
 * One worker's step as a dependency graph, in `templates` recorded variants that share the graph and differ in amounts and release
 * times. Structure of arrays; n = operations, k = templates.
 */
export interface Job {
  operations: number
  templates: number
  /** [n] OperationKind. */
  kind: Uint8Array
  /** [n] server index of an update, pull or push; 0 otherwise. */
  server: Uint16Array
  /** [n] number of operations that must complete first. */
  dependencies: Uint16Array
  /** [n + 1] where each operation's successors begin in `successors`. */
  successorStart: Uint32Array
  successors: Uint32Array
  /** [k · n] µs or bytes, template by template. */
  amount: Float64Array
  /**
   * The operations without dependencies (all of them, each once), in the order in which they become ready: those of template t
   * are releaseOperation[t·r … (t+1)·r), r = number of such operations.
   */
  releaseOperation: Uint32Array
  /** [k · r] µs after the step's start; ascending within a template. */
  releaseUs: Float64Array
  /** [k · n] bytes that each stream may send in its first turn, where it is known for each; else Cluster.turns.first holds for all. */
  firstTurnBytes?: Float64Array
  /** [n] messages that each transfer stands for: it costs the fixed part of Parse and ServerMessage, and the first hand-over of Priority, so many times. Default: each is one. */
  messages?: Uint16Array
  /** [n] rank of each transfer where Cluster.priority holds: lower ones go first, equal ones as they become ready. Default: all equal. */
  priority?: Uint32Array
}

/** HTTP/2 turns: a stream sends at most `firstTurnBytes` when it is first served and `laterTurnBytes` after that. */
export interface TurnBytes {
  first: number
  later: number
}

/** FIFO processing of received messages: `slots` at a time, each taking perByteUs · bytes + fixedUs. */
export interface Parse {
  slots: number
  perByteUs: number
  fixedUs: number
}

/** What a server does for each pull before its bytes can be sent, FIFO, `slots` at a time: pullPerByteUs · bytes + pullFixedUs. */
export interface ServerMessage {
  slots: number
  pullPerByteUs: number
  pullFixedUs: number
}

/**
 * Scheduling of transfers by Job.priority, as P3 (Jayarajan et al., MLSys 2019) and ByteScheduler (Peng et al., SOSP 2019) do it. Instead of taking
 * turns, the streams of a connection are cut into chunks, and the next chunk of the first stream is handed over as credit allows.
 */
export interface Priority {
  /** Bytes of a chunk; the last of a stream is smaller. More than 0; Infinity = tensors stay whole. */
  partitionBytes: number
  /**
   * Bytes of a connection handed over and not yet sent: so much cannot be overtaken. At least partitionBytes; with whole tensors more than 0, and a
   * tensor that is larger goes alone. Infinity is allowed.
   */
  creditBytes: number
  /** What a hand-over takes, µs a chunk, and for the first of a transfer that stands for n messages n times that; a connection makes one at a time. */
  chunkUs: number
  /** Which directions it holds for. */
  pull: boolean
  push: boolean
}

/** A host's network interface, bytes of payload per µs in each direction. Infinity is allowed and means "never the limit". */
export interface Nic {
  outBytesPerUs: number
  inBytesPerUs: number
}

/** A worker's host. */
export interface WorkerHost extends Nic {
  /** Factor on the duration of this worker's compute operations. */
  computeScale: number
  /** One way, to every server. */
  latencyUs: number
  /** Steps whose compute operations take longer, each with the same probability, whatever came before. Default: none. */
  straggler?: Straggler
}

/** Steps that take longer by chance. */
export interface Straggler {
  /** 0 to 1. */
  probability: number
  /** On the duration of all compute operations of the step, 0 or more. */
  factor: number
}

/**
 * How workers wait for each other (docs/semantics.md, "Modes"):
 * - async: not at all;
 * - ssp: no worker begins a step before all have completed all but `staleness` of those before it (stale synchronous parallel, Ho et al. 2013);
 *   a whole number or Infinity, which is async;
 * - sync: rounds. Of each variable the gradients of the first workers are added up, all but those of `backup` workers, and applied once
 *   (Chen et al. 2016, TensorFlow's SyncReplicasOptimizer). Adding up a gradient costs `accumulateScale` times its update.
 */
export type Mode =
  | { kind: 'async' }
  | { kind: 'ssp'; staleness: number }
  | { kind: 'sync'; backup: number; accumulateScale: number }

/** A parameter server's host. */
export interface ServerHost extends Nic {
  /** Factor on the duration of updates. */
  updateScale: number
  /** Updates that it runs at once. Default: Cluster.updateSlots. */
  updateSlots?: number
}

/** How a connection that turns busy beside others comes to its share. */
export interface ShareRow {
  /** Weight with which it begins, beside others of weight 1. 0 < startWeight ≤ 1. */
  startWeight: number
  /** Time in which it grows to 1, by a constant factor in each of seven steps. 0 = at once. */
  rampUs: number
  /** All of that is multiplied by luck: between (1 − spread)/(1 + spread) and its reciprocal. 0 ≤ spread < 1; 0 = always 1. */
  spread: number
}

/** What a job runs on. Times are µs, sizes bytes of payload, rates bytes of payload per µs; W workers, M servers. */
export interface Cluster {
  workers: readonly WorkerHost[]
  servers: readonly ServerHost[]
  /** Compute operations that one worker runs at once. */
  computeSlots: number
  /** Updates that one server runs at once. */
  updateSlots: number
  workerParse: Parse
  serverParse: Parse
  turns: TurnBytes
  /** Between the end of a worker's step and the start of its next. */
  stepOverheadUs: number
  /** Share of a link's capacity that acknowledgements cost while the reverse direction carries data. 0 = none. */
  ackFraction: number
  /**
   * How connections share a server's link, for pulls and pushes: row i is for one that turns busy beside i + 1 others, the last row also
   * beside more. No rows (the default) = equally.
   */
  shares?: { pull: readonly ShareRow[]; push: readonly ShareRow[] }
  /**
   * What a full buffer in front of a server's outgoing (pull) or incoming (push) link delays, while another worker's connection keeps it
   * full: the requests and the end of a step. µs; default 0.
   */
  queueUs?: { pull: number; push: number }
  /** The same for the first turn of a connection that turns busy. Not for share tables that were measured with it. µs; default 0. */
  startDelayUs?: { pull: number; push: number }
  /** What a single connection gets at most, bytes per µs, acknowledgements or not. Default: no limit. */
  flowBytesPerUs?: number
  /**
   * Token bucket of each server's link, in each direction: full at first, and filled at the link's rate while that is idle. A turn that starts
   * while its connection is the only busy one on the link has as much of it sent at once, past every limit. Bytes; default 0.
   */
  burstBytes?: number
  /** Default: pulls cost a server nothing. */
  serverMessage?: ServerMessage
  /**
   * Server j is on the host of worker j, for every j that is both: what either of them exchanges with other hosts shares that host's link out
   * and its link in, whose rates both must give alike, and between the two goes a loopback. Processors stay apart. Default false: every server
   * has a host of its own.
   */
  colocate?: boolean
  /** What each direction of that loopback carries, bytes per µs. Default: no limit. */
  loopbackBytesPerUs?: number
  /** Pulls are prepared in the slots in which pushes are parsed; then serverMessage.slots = serverParse.slots. Default false. */
  sharedServerCpu?: boolean
  /** Default: streams take HTTP/2 turns. In directions with priority neither `turns` nor Job.firstTurnBytes hold. */
  priority?: Priority
  /** Default async. */
  mode?: Mode
}

/** What tells one run of a job on a cluster from another, and what is kept of it. */
export interface RunOptions {
  seed: number
  /** Independent random streams for each replication of the same seed. */
  replication: number
  /** Workers start independently and uniformly within this span. 0 = all at time 0. */
  phaseSpanUs: number
  /** Play the templates in order 0, 1, …, instead of at random. */
  inOrder?: boolean
  /** Log the operations of workers 0 … logWorkers − 1. Default 0. */
  logWorkers?: number
  /** Keep of each logged worker only the step under way and so many before it: an entry costs some 100 bytes. Default: all. */
  logSteps?: number
}

/** Completed steps in the order of their completion. */
export interface StepRecords {
  worker: Int32Array
  template: Int32Array
  startUs: Float64Array
  endUs: Float64Array
  /** Steps of other workers whose last push arrived between this step's first pull and its own last push. */
  staleness: Int32Array
  /** Share of the step's gradients that its round used; 1 in other modes than sync. A round's sum is the number of gradients that it takes of a variable. */
  usedShare: Float64Array
  /** µs that the worker waited for others: in sync for the end of the round, within the step; in ssp for the slowest, before the step. */
  waitedUs: Float64Array
}

/** One executed operation. For compute, update and delay: wireEndUs = startUs. */
export interface LogEntry {
  worker: number
  /** Ordinal of the worker's step. */
  step: number
  operation: number
  /** When its last dependency completed or it was released. */
  readyUs: number
  /** When it got its slot, or its first byte was handed to the link. */
  startUs: number
  /** When the sender had put the last byte on the wire. */
  wireEndUs: number
  /** When dependents could go on. */
  endUs: number
}

/** Work done since the last resetStatistics(). Divide by `elapsedUs` (and slots) for utilisation. */
export interface Statistics {
  elapsedUs: number
  events: number
  /** [W] summed busy time of the compute slots. */
  computeBusyUs: Float64Array
  /** [M] summed busy time of the update slots. */
  updateBusyUs: Float64Array
  /** [M] summed time of updates, of parsing pushes and of preparing pulls. */
  serverCpuBusyUs: Float64Array
  /** [M] bytes of finished turns, by link or loopback. */
  pullBytes: Float64Array
  pushBytes: Float64Array
  /**
   * [M] time in which at least one connection sent on the server's outgoing (pull) or incoming (push) link. On a worker's host that is the
   * host's link, whatever was sent.
   */
  pullBusyUs: Float64Array
  pushBusyUs: Float64Array
}
