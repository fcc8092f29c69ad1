import type { ClusterFile } from '@foretrain/predictor'
import * as v from 'valibot'

/** What a cluster file may hold, by field; the messages say what would be right. Quantities are still text: they are read where the line is known. */

const most = { workers: 100_000, servers: 1024, cores: 4096, replicas: 65_535 }

function whole(least: number, largest: number) {
  const wanted = `a whole number from ${least} to ${largest}`
  return v.pipe(
    v.number(wanted),
    v.check(value => Number.isInteger(value) && value >= least && value <= largest, wanted)
  )
}

function between(least: number, largest: number) {
  const wanted = `a number from ${least} to ${largest}`
  return v.pipe(
    v.number(wanted),
    v.check(value => value >= least && value <= largest, wanted)
  )
}

const rate = v.string('a number and a unit (bps, kbps, Mbps or Gbps), such as 1Gbps')
const time = v.string('a number and a unit (us, ms or s), such as 0.1ms')

/** Fields of an object, and no others; a name such as "constructor" is as unknown as any. */
function fields<Entries extends v.ObjectEntries>(entries: Entries) {
  const own: Entries = Object.assign(Object.create(null), entries)
  return v.strictObject(own, `fields ${Object.keys(entries).join(', ')}`)
}

const server = fields({ bandwidth: v.optional(rate), cores: v.optional(whole(1, most.cores)) })

const servers = v.lazy(input =>
  Array.isArray(input)
    ? v.pipe(
        v.array(server),
        v.check(list => list.length > 0 && list.length <= most.servers, `1 to ${most.servers} servers`)
      )
    : v.pipe(
        v.number('a number of servers, or a list of servers with bandwidth and cores'),
        v.check(
          value => Number.isInteger(value) && value >= 1 && value <= most.servers,
          `a whole number from 1 to ${most.servers}, or a list`
        )
      )
)

const group = fields({
  count: whole(1, most.workers),
  speed: v.optional(between(1e-6, 1e6)),
  bandwidth: v.optional(rate),
  uplink: v.optional(rate),
  latency: v.optional(time),
  replicas: v.optional(whole(1, most.replicas)),
  straggler: v.optional(fields({ probability: between(0, 1), factor: between(1, 1e6) }))
})

const workersWanted = 'a list of groups, such as: workers: [{count: 4}]'

export const clusterFile: v.GenericSchema<ClusterFile> = fields({
  workers: v.pipe(
    v.array(group, workersWanted),
    v.check(groups => groups.length > 0, workersWanted),
    v.check(
      groups => groups.reduce((sum, { count }) => sum + count, 0) <= most.workers,
      `groups of together at most ${most.workers} workers`
    )
  ),
  servers: v.optional(servers),
  placement: v.optional(
    v.lazy(input =>
      typeof input === 'object' && input !== null
        ? v.custom<Record<string, number>>(() => !Array.isArray(input), 'variables with their servers')
        : v.picklist(['profile', 'round-robin', 'greedy'], 'profile, round-robin, greedy, or variables with their servers')
    )
  ),
  bandwidth: v.optional(rate),
  latency: v.optional(time),
  buffer: v.optional(time),
  colocate: v.optional(v.boolean('true or false'))
})
