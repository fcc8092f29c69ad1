import { delays, fail, mostCores, mostServers, mostWorkers, rates, speeds, wholeNumber, within } from '../checks.ts'
import { checkColocation } from '../colocation.ts'
import type { Question } from '../question.ts'
import { type Hosts, workersOf } from './hosts.ts'
import { notSimulated } from './notSimulated.ts'

const mostReplicas = 65_535
const mostParts = 64

/** @throws QuestionError at the first field about servers, placement or unequal hosts that cannot be used */
export function checkHosts(question: Question): void {
  const { servers, variableParts, hosts } = question
  if (servers !== undefined && servers.length === 0) fail('servers', 'is empty', 'at least one number of servers')
  for (const count of servers ?? []) wholeNumber('number of servers', count, 1, mostServers)
  if (variableParts !== undefined) wholeNumber('number of parts of a variable', variableParts, 1, mostParts)
  if (hosts !== undefined) checkFields(hosts, question)
  checkColocation(question)
}

function checkFields(hosts: Hosts, question: Question): void {
  const { servers, workers } = question
  hosts.workers.forEach((group, index) => {
    const of = (field: string) => `${field} of group ${index + 1} of the workers`
    wholeNumber(of('number of workers'), group.count, 1, mostWorkers)
    within(of('speed'), group.speed, speeds)
    within(of('bandwidth'), group.bandwidthBitsPerSecond, rates)
    within(of('uplink'), group.uplinkBitsPerSecond, rates)
    within(of('latency'), group.latencyUs, delays)
    if (group.replicas !== undefined) wholeNumber(of('number of replicas'), group.replicas, 1, mostReplicas)
    if (group.straggler === undefined) return
    within(of('probability of a straggler'), group.straggler.probability, { least: 0, most: 1, unit: '' })
    within(of('factor of a straggler'), group.straggler.factor, { least: 1, most: 1e6, unit: 'times as long' })
  })
  const most = workersOf(hosts)
  const tooMany = workers.find(count => count > most)
  if (tooMany !== undefined) fail('number of workers', `is ${tooMany}, but the cluster has ${most}`, `at most ${most}`)
  hosts.servers?.forEach(({ bandwidthBitsPerSecond, cores }, server) => {
    within(`bandwidth of server ${server}`, bandwidthBitsPerSecond, rates)
    if (cores !== undefined) wholeNumber(`number of cores of server ${server}`, cores, 1, mostCores)
  })
  const listed = hosts.servers?.length ?? mostServers
  const beyond = servers?.find(count => count > listed)
  if (beyond !== undefined) fail('number of servers', `is ${beyond}, but the cluster lists ${listed}`, `at most ${listed}`)
  const refused = notSimulated(question)
  if (refused !== undefined) fail(refused)
}
