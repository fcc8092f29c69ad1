import type { Operation, Profile, ProfiledStep } from './profile.ts'

/**
 * A profile of operations and steps that come from elsewhere than from a trace: published figures, another framework, a network that is only
 * planned. What is not given is as of one worker with one server that ran one compute operation and one update at a time.
 *
 * @param operations in an order in which each depends on earlier ones only
 * @param steps [k ≥ 1] their arrays run parallel to `operations`; µs
 * @param further fields that differ, such as `servers`
 */
export function profileFrom(operations: Operation[], steps: ProfiledStep[], further: Partial<Profile> = {}): Profile {
  const records = operations.length * steps.length
  return {
    schema: 'foretrain/profile@1',
    traces: steps.map(({ trace }) => trace),
    worker: '/job:worker/replica:0/task:0',
    servers: ['/job:ps/replica:0/task:0'],
    devices: [],
    operations,
    steps,
    concurrency: { compute: 1, update: 1 },
    clockOffsetUs: (further.servers ?? ['']).map(() => 0),
    counts: { droppedSteps: [], records, used: records, ignored: {}, imputedTransfers: 0, withoutDuration: 0 },
    holes: [],
    warnings: [],
    ...further
  }
}
