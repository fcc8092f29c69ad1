import type { ClusterFile, Hosts, Placement, Question, ServerHost, WorkerGroup } from '@foretrain/predictor'
import { bandwidth, delay, parseQuantity, type Quantity } from '@foretrain/predictor/text'
import * as v from 'valibot'
import { CommandLineError } from '../errors.ts'
import { readPlacementMap } from './placementMap.ts'
import { clusterFile } from './schema.ts'
import { shown } from './shown.ts'
import { YamlFile } from './yamlFile.ts'

/** What a cluster file says, in the units of a question. */
export interface ClusterAsked
  extends Pick<Question, 'servers' | 'placement' | 'bandwidthBitsPerSecond' | 'latencyUs' | 'bufferUs'> {
  hosts: Hosts
}

type Path = ReadonlyArray<string | number>

/**
 * Reads a cluster file (docs/cluster.md).
 *
 * @param name for messages
 * @throws CommandLineError at the first field that cannot be used: "FILE.yaml:3: workers[0].speed: is -1: use …"
 */
export function parseClusterFile(name: string, text: string): ClusterAsked {
  const file = new YamlFile(name, text)
  if (file.value === null || file.value === undefined)
    throw new CommandLineError(`${name}:1: the file is empty: use at least workers: [{count: 4}]`)
  const result = v.safeParse(clusterFile, file.value, { abortEarly: true })
  if (!result.success) throw new CommandLineError(complaint(file, result.issues[0]))
  const { output } = result
  const quantity = (value: string | undefined, kind: Quantity, path: Path) =>
    value === undefined ? undefined : parseQuantity(`${file.place(path)}:`, value, kind)
  const servers = serversOf(output.servers, (value, index) => quantity(value, bandwidth, ['servers', index, 'bandwidth']))
  const workers = output.workers.map(
    ({ bandwidth: rate, uplink, latency, ...group }, index): WorkerGroup =>
      present({
        ...group,
        bandwidthBitsPerSecond: quantity(rate, bandwidth, ['workers', index, 'bandwidth']),
        uplinkBitsPerSecond: quantity(uplink, bandwidth, ['workers', index, 'uplink']),
        latencyUs: quantity(latency, delay, ['workers', index, 'latency'])
      })
  )
  const { count, hosts } = servers
  return present({
    servers: count === undefined ? undefined : [count],
    placement: placementOf(output.placement, variable => file.place(['placement', variable])),
    bandwidthBitsPerSecond: quantity(output.bandwidth, bandwidth, ['bandwidth']),
    latencyUs: quantity(output.latency, delay, ['latency']),
    bufferUs: quantity(output.buffer, delay, ['buffer']),
    hosts: present({ workers, servers: hosts, colocate: output.colocate })
  })
}

function serversOf(
  servers: ClusterFile['servers'],
  rateOf: (text: string | undefined, index: number) => number | undefined
): { count?: number; hosts?: ServerHost[] } {
  if (servers === undefined) return {}
  if (typeof servers === 'number') return { count: servers }
  const hosts = servers.map(({ bandwidth: rate, cores }, index) => present({ bandwidthBitsPerSecond: rateOf(rate, index), cores }))
  return { count: hosts.length, hosts }
}

function placementOf(placement: ClusterFile['placement'], place: (variable: string) => string): Placement | undefined {
  return typeof placement === 'object' ? readPlacementMap(placement, place) : placement
}

/** Of the fields that must be there. */
const examples: Record<string, string> = {
  workers: 'workers: [{count: 4}]',
  count: 'count: 4',
  probability: 'probability: 0.1',
  factor: 'factor: 3'
}

/** The first thing that is wrong, in one line. */
function complaint(file: YamlFile, issue: v.BaseIssue<unknown>): string {
  const path = (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)))
  const place = file.place(path)
  if (issue.type === 'strict_object' && issue.expected === 'never')
    return `${place}: is no field of this place: use ${issue.message}`
  if (issue.type === 'strict_object' && issue.received === 'undefined')
    return `${place}: is missing: use ${examples[path.at(-1) ?? '']}`
  return `${place}: is ${shown(issue.input)}: use ${issue.message}`
}

function present<Values extends object>(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values
}
