import type { Profile } from '@foretrain/trace-parser'
import { type Question, QuestionError } from '../question.ts'
import type { PlacedVariable } from './variables.ts'

/** By rule, or for each variable by name. */
export type Placement = 'profile' | 'round-robin' | 'greedy' | Readonly<Record<string, number>>

/** TensorFlow's own rule where nothing else is asked for, and no other than that of the traces on as many servers. */
export function defaultPlacement(profile: Profile, servers: number): Placement {
  return servers === tracedServers(profile) ? 'profile' : 'round-robin'
}

export function tracedServers(profile: Profile): number {
  return Math.max(1, profile.servers.length)
}

/** Numbers of servers that a question asks for: as many as it says, else as its hosts list, else as the traces show. */
export function numbersOfServers({ profile, servers, hosts }: Pick<Question, 'profile' | 'servers' | 'hosts'>): number[] {
  return servers ?? [hosts?.servers?.length ?? tracedServers(profile)]
}

/**
 * Server of each variable.
 *
 * - profile: as in the traces, for as many servers.
 * - round-robin: one server after the other in the order of creation, as tf.train.replica_device_setter does (device_setter.py,
 *   _RoundRobinStrategy).
 * - greedy: the largest first, each to the server with the fewest bytes so far, the first of these. tf.contrib.training's
 *   GreedyLoadBalancingStrategy goes in the order of creation instead, because it sees one variable at a time; with the largest first the
 *   result is the balance that it aims at.
 * - a map: as it says; it must name every variable that moves bytes, and no other than the profile's. The rest goes to server 0.
 *
 * @returns [variables] indices below `servers`
 * @throws QuestionError at the first variable that the map does not place, or places where nothing is
 */
export function placeVariables(
  variables: readonly PlacedVariable[],
  servers: number,
  placement: Placement,
  traced: number
): number[] {
  if (placement === 'profile') {
    if (servers !== traced)
      throw new QuestionError(
        `placement is profile with ${counted(servers)}, but the traces show ${traced}: use round-robin, greedy or a file`
      )
    return variables.map(({ tracedServer }) => tracedServer)
  }
  if (placement === 'round-robin') return variables.map((_, index) => index % servers)
  return placement === 'greedy' ? greedy(variables, servers) : explicit(variables, servers, placement)
}

function greedy(variables: readonly PlacedVariable[], servers: number): number[] {
  const load = new Array<number>(servers).fill(0)
  const placed = new Array<number>(variables.length).fill(0)
  const largestFirst = variables.map((_, index) => index).sort((a, b) => variables[b].bytes - variables[a].bytes || a - b)
  for (const index of largestFirst) {
    const server = load.indexOf(Math.min(...load))
    placed[index] = server
    load[server] += variables[index].bytes
  }
  return placed
}

function explicit(variables: readonly PlacedVariable[], servers: number, map: Readonly<Record<string, number>>): number[] {
  const known = new Set(variables.map(({ name }) => name))
  for (const [name, server] of Object.entries(map)) {
    if (!known.has(name)) {
      const examples = [...known].slice(0, 3).map(shown).join(', ')
      throw new QuestionError(
        `placement names ${shown(name)}, which is no variable of the profile: use one of its ${known.size}, such as ${examples}`
      )
    }
    if (!Number.isInteger(server) || server < 0 || server >= servers)
      throw new QuestionError(
        `placement puts ${shown(name)} on server ${server}: with ${counted(servers)} use ${servers === 1 ? '0' : `0 to ${servers - 1}`}`
      )
  }
  return variables.map(({ name, bytes }) => {
    if (Object.hasOwn(map, name)) return map[name]
    if (bytes > 0)
      throw new QuestionError(`placement does not say where ${shown(name)} is: name every variable that is pulled or pushed`)
    return 0
  })
}

function counted(servers: number): string {
  return `${servers} ${servers === 1 ? 'server' : 'servers'}`
}

function shown(name: string): string {
  return JSON.stringify(name.length > 60 ? `${name.slice(0, 57)}...` : name)
}
