import type { Question } from '../question.ts'
import { coresOf, type Hosts } from './hosts.ts'

/** What can be asked of hosts and is not simulated yet, in one line; undefined when all of it is. The only place that knows. */
export function notSimulated({ hosts, serverCores }: Pick<Question, 'hosts' | 'serverCores'>): string | undefined {
  if (hosts === undefined) return undefined
  const found = features.find(({ asked }) => asked(hosts, serverCores))
  return found && `${found.field}: ${found.what} not simulated yet: leave it out`
}

const features: Array<{ field: string; what: string; asked: (hosts: Hosts, serverCores: number | undefined) => boolean }> = [
  {
    field: 'cores',
    what: 'servers with different numbers of cores are',
    asked: (hosts, serverCores) => serverCores === undefined && (hosts.servers ?? []).some(({ cores }) => cores !== coresOf(hosts))
  }
]
