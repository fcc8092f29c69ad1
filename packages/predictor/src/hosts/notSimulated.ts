import type { Question } from '../question.ts'
import { coresOf, type Hosts } from './hosts.ts'

/** What can be asked of hosts and is not simulated yet, in one line; undefined when all of it is. The only place that knows. */
export function notSimulated({
  hosts,
  serverCores,
  serverMessageUs,
  serverPerByteUs
}: Pick<Question, 'hosts' | 'serverCores' | 'serverMessageUs' | 'serverPerByteUs'>): string | undefined {
  if (hosts === undefined) return undefined
  const found = features.find(({ asked }) => asked(hosts, serverCores, (serverMessageUs ?? serverPerByteUs) !== undefined))
  return found && `${found.field}: ${found.what} not simulated yet: leave it out`
}

const features: Array<{
  field: string
  what: string
  asked: (hosts: Hosts, serverCores: number | undefined, hasCost: boolean) => boolean
}> = [
  {
    field: 'cores',
    what: 'costs of messages on servers with different numbers of cores are',
    asked: (hosts, serverCores, hasCost) =>
      hasCost && serverCores === undefined && (hosts.servers ?? []).some(({ cores }) => cores !== coresOf(hosts))
  }
]
