/**
 * The profile of one worker: what extraction yields and everything that is predicted starts from. It is plain JSON and is saved as such
 * (`foretrain inspect --save`). Times are µs, sizes bytes.
 */

/** What an operation is: computed on the worker, an update on a server, a transfer from a server (pull) or to one (push). */
export type OperationKind = 'compute' | 'update' | 'pull' | 'push'

/** One node of the step's graph; the same in every step of the profile. */
export interface Operation {
  /** Name of the node; for a transfer, that of the tensor without its `edge_<n>_` prefix. */
  name: string
  kind: OperationKind
  /** TensorFlow's type ("Conv2D", "ApplyGradientDescent"); "RecvTensor" for transfers; '' when unknown. */
  type: string
  /** Index into `Profile.servers`: where an update runs, or what a transfer comes from or goes to. 0 for compute. */
  server: number
  /** Bytes of a transfer (median over the steps); 0 for the rest. */
  bytes: number
  /** Indices of the operations that must complete first, ascending. */
  dependencies: number[]
}

/** A variable on a server. */
export interface Variable {
  name: string
  /** Indices of its pulls, pushes, updates and what belongs to these, ascending. */
  operations: number[]
}

/** One recorded step. Arrays run parallel to `Profile.operations`. */
export interface ProfiledStep {
  /** Name of the file it came from. */
  trace: string
  /** First start to last end. */
  spanUs: number
  /** How long a compute or update runs; it holds its slot for `gapUs` more, in front. 0 for transfers. */
  durationUs: number[]
  /** The recorded idle time in front of a compute or update that nothing modelled explains (docs/method.md §1). */
  gapUs: number[]
  /** Recorded interval after the step's first start, on the worker's clock. For a pull, its start is the order of hand-over at the server. */
  startUs: number[]
  endUs: number[]
  /** Bytes of transfers, only where they differ from `Operation.bytes` in this step: [operation, bytes]. */
  bytes?: Array<[number, number]>
  /** Operations whose record was lost and was taken from the other steps. */
  imputed: number[]
}

/** A finding about a profile that does not keep it from being used. */
export interface ProfileWarning {
  /** Stable, kebab-case: "few-steps", "clock-skew", "hidden-dependency", "imputed-transfers" … */
  code: string
  /** One sentence with the numbers. */
  message: string
  count?: number
  where?: string
}

/** One worker's steps: n operations that all steps share, k steps with their times. Plain JSON. */
export interface Profile {
  schema: 'foretrain/profile@1'
  /** Files, in the order of their steps. */
  traces: string[]
  /** Task of the profiled worker: "/job:worker/replica:0/task:0". */
  worker: string
  /** Tasks of the servers, by index. */
  servers: string[]
  /** Canonical names of all devices seen. */
  devices: string[]
  operations: Operation[]
  /**
   * What the servers hold, in the order of creation as far as the trace tells (extract/variables.ts). Operations of no variable are in none.
   * Missing in profiles that were saved without it.
   */
  variables?: Variable[]
  steps: ProfiledStep[]
  /** Largest number of compute operations (of at least 20 µs) that ran at once on the worker, and of updates on one server. */
  concurrency: { compute: number; update: number }
  /** Server clock minus worker clock, per server, already subtracted. */
  clockOffsetUs: number[]
  counts: {
    /** Steps refused, with the reason. */
    droppedSteps: Array<{ trace: string; reason: string }>
    /** Records of the traces that became operations / that did not, by reason: in = used + ignored. */
    records: number
    used: number
    ignored: Record<string, number>
    /** Transfers whose log entry was lost in a step and which were imputed. */
    imputedTransfers: number
    /** Operations that carry no duration. */
    withoutDuration: number
  }
  /** Idle time of the profiled step in which nothing ran or was sent, over 10 % of it. */
  holes: Array<{ step: number; startUs: number; durationUs: number; before: string; after: string }>
  warnings: ProfileWarning[]
}
