import type { Job } from '@foretrain/core-wasm'
import type { Profile } from '@foretrain/trace-parser'
import { isTransfer, labelsOf } from './labels.ts'
import type { TimelineWindow } from './window.ts'

/** About how much a timeline will be. */
export interface TimelineSize {
  events: number
  /** Uncompressed. */
  bytes: number
}

/** Bytes of a complete event besides what is known of its operation: times, track, step, template. */
const SLICE_BYTES = 155
/** Bytes of a flow or counter event. */
const SMALL_BYTES = 95
/** Of a transfer besides its slice and that of its parsing: bytes, ready and end in both. */
const TRANSFER_BYTES = 75
/** Slices that are drawn of transfers that wait. */
const WAITS_A_TRANSFER = 0.5
/** Counts of streams and of waiting ones, up and down; an arrow has two ends. */
const SMALL_EVENTS_A_TRANSFER = 6

/**
 * About how large a timeline becomes. Waiting depends on the run; the rest is counted.
 *
 * @param cycleUs about how long a step takes
 */
export function estimateSize(profile: Profile, job: Job, traced: number, window: TimelineWindow, cycleUs: number): TimelineSize {
  const labels = labelsOf(profile)
  let events = 1
  let bytes = SLICE_BYTES
  labels.forEach(({ name, arguments: known, nameArgument }, operation) => {
    events += 1
    bytes += SLICE_BYTES + name.length + known.length
    if (!isTransfer(job.kind[operation])) return
    events += 1 + WAITS_A_TRANSFER + SMALL_EVENTS_A_TRANSFER
    bytes += SLICE_BYTES + TRANSFER_BYTES + name.length + nameArgument.length
    bytes += WAITS_A_TRANSFER * (SLICE_BYTES + nameArgument.length) + SMALL_EVENTS_A_TRANSFER * SMALL_BYTES
  })
  const steps = traced * (window.kind === 'steps' ? window.count : window.lengthUs / cycleUs)
  return { events: Math.round(events * steps), bytes: Math.round(bytes * steps) }
}
