import type { RawRecord } from '../rawStep.ts'

/** Fields of a NodeExecStats (step_stats.proto) as they are read; absent ones stay as they are here. Times are whole numbers. */
export interface NodeStats {
  name: string
  label: string
  allStartUs: number
  opStartRelUs: number
  opEndRelUs: number
  allEndRelUs: number
  scheduledUs: number
  allStartNs: number
  opStartRelNs: number
  opEndRelNs: number
  allEndRelNs: number
  scheduledNs: number
  /** Sum of the requested bytes of output 0; -1 when none is recorded. */
  outputBytes: number
}

export function emptyStats(): NodeStats {
  return {
    name: '',
    label: '',
    allStartUs: 0,
    opStartRelUs: 0,
    opEndRelUs: 0,
    allEndRelUs: 0,
    scheduledUs: 0,
    allStartNs: 0,
    opStartRelNs: 0,
    opEndRelNs: 0,
    allEndRelNs: 0,
    scheduledNs: 0,
    outputBytes: -1
  }
}

/**
 * The record that the fields make. Absolute nanoseconds exceed 2^53 and come as doubles of 0.25 µs resolution, which is finer than the µs
 * fields; sums of the two kinds would mix roundings, so a record uses one kind throughout.
 */
export function recordOf(stats: NodeStats): RawRecord {
  const fine = stats.allStartNs !== 0
  const startOfAllUs = fine ? stats.allStartNs / 1000 : exact(stats.allStartUs)
  const opEndUs = fine ? stats.opEndRelNs / 1000 : exact(stats.opEndRelUs)
  const allEndUs = fine ? stats.allEndRelNs / 1000 : exact(stats.allEndRelUs)
  return {
    name: stats.name,
    label: stats.label,
    scheduledUs: fine && stats.scheduledNs !== 0 ? stats.scheduledNs / 1000 : exact(stats.scheduledUs),
    startUs: startOfAllUs + (fine ? stats.opStartRelNs / 1000 : exact(stats.opStartRelUs)),
    // Records that stop at the kernel's end leave all_end_rel at 0.
    endUs: startOfAllUs + (allEndUs === 0 ? opEndUs : allEndUs),
    outputBytes: stats.outputBytes
  }
}

/** NaN for what a double cannot hold exactly: extraction drops and counts such records. */
function exact(value: number): number {
  return Number.isSafeInteger(value) ? value : Number.NaN
}

/** The requested bytes of an output, given its slot; -1 for other outputs than the first, and where they are not recorded. */
export function bytesOfOutput(slot: number, requestedBytes: number): number {
  return slot === 0 && Number.isSafeInteger(requestedBytes) ? requestedBytes : -1
}

/** Adds the bytes of one more output. */
export function addOutput(stats: NodeStats, bytes: number): void {
  if (bytes >= 0) stats.outputBytes = Math.max(stats.outputBytes, 0) + bytes
}
