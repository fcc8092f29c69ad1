/** Keeps account of every record of a trace: in = used + ignored. */
export class Tally {
  records = 0
  used = 0
  private readonly byReason = new Map<string, number>()

  ignore(reason: string, count = 1): void {
    if (count > 0) this.byReason.set(reason, (this.byReason.get(reason) ?? 0) + count)
  }

  count(reason: string): number {
    return this.byReason.get(reason) ?? 0
  }

  /** Reasons with their counts, alphabetical. */
  ignored(): Record<string, number> {
    return Object.fromEntries([...this.byReason].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

/** Reasons for which records do not become operations. Part of the profile: keep them short and stable. */
export const REASONS = {
  anchor: 'start and end of the graph',
  beforePush: 'server operation before any push',
  clockOutlier: 'time more than an hour from the rest of its task',
  copies: 'copy of a GPU kernel or memory copy',
  droppedStep: 'record of a dropped step',
  duplicate: 'record that stands twice',
  gpuClock: 'GPU kernel on another clock',
  kernel: 'GPU kernel of no recorded operation',
  local: 'transfer within one task',
  negative: 'negative duration',
  noStart: 'no start time',
  noTask: 'device without a job and task',
  otherTask: 'task that is neither the worker nor a server',
  outOfRange: 'time beyond 2^53 µs',
  peer: 'transfer that is neither pull nor push',
  rare: 'in fewer than half of the steps',
  unreadable: 'transfer with an unreadable label'
} as const
