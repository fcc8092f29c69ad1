/** Bounds on what one input may cost. A file that exceeds one is refused with a TraceError before memory grows further. */
export interface Limits {
  /** Bytes, as stored, of a file that is kept whole while it is read: binary protobufs, saved profiles, ZIP archives. */
  maxFileBytes: number
  /** Bytes of such a file once unpacked, and of one event of an event file. */
  maxUnpackedBytes: number
  /**
   * Bytes, as stored and unpacked, of what is read piece by piece and costs memory only for its records: timelines, text protobufs, event
   * files, tar archives. Also of all entries of an archive together.
   */
  maxTimelineBytes: number
  /** Records and graph nodes, of one file and of all files of a run together: each costs some 300 bytes of memory, more while it is extracted. */
  maxRecords: number
}

/** What a profile may hold. More than any cluster shows, and as much as a simulation of it can bear. */
export const PROFILE_LIMITS = {
  servers: 10_000,
  /** Of one step, each some 5 kB of memory while a profile is made. */
  operations: 400_000,
  /** Operations that run at once on a worker, and updates on a server. */
  concurrency: 65_536,
  /** A time within a step: more than 30 years. */
  timeUs: 1e15,
  /** Of a tensor: 256 times what the length of a gRPC message can say. Simulating more takes minutes, for what no job sends. */
  bytes: 2 ** 40
} as const

const MEBIBYTE = 1024 * 1024

/** Where `ReadOptions` says nothing else: docs/inputs.md, Limits. */
export const DEFAULT_LIMITS: Readonly<Limits> = {
  maxFileBytes: 512 * MEBIBYTE,
  maxUnpackedBytes: 512 * MEBIBYTE,
  maxTimelineBytes: 4096 * MEBIBYTE,
  maxRecords: 1_000_000
}

/** The given limits over the defaults. */
export function withDefaults(limits: Partial<Limits> | undefined): Limits {
  return { ...DEFAULT_LIMITS, ...limits }
}
