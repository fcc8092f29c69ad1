import { type Operation, type Profile, type ProfiledStep, profileFrom } from '@foretrain/trace-parser'

/** A step that pulls each variable, computes, pushes its gradient and applies it; v0 is created first. */
export function jobOf(bytes: readonly number[], servers: readonly number[] = bytes.map(() => 0)): Profile {
  const operations: Operation[] = []
  const add = (name: string, kind: Operation['kind'], size: number, server: number, dependencies: number[]) =>
    operations.push({ name, kind, type: '', server, bytes: size, dependencies }) - 1
  const pulls = bytes.map((size, v) => add(`v${v}/read`, 'pull', size, servers[v], []))
  const compute = add('train', 'compute', 0, 0, pulls)
  const pushes = bytes.map((size, v) => add(`grad${v}`, 'push', size, servers[v], [compute]))
  const updates = pushes.map((push, v) => add(`apply${v}`, 'update', 0, servers[v], [push]))
  const count = operations.length
  const steps = [0, 1].map(
    (s): ProfiledStep => ({
      trace: `step${s}`,
      spanUs: 2000,
      durationUs: operations.map(({ kind }) => (kind === 'compute' ? 1000 : kind === 'update' ? 60 : 0)),
      gapUs: new Array<number>(count).fill(0),
      startUs: operations.map((_, id) => id),
      endUs: operations.map((_, id) => id + 1),
      imputed: s === 0 ? [] : [0],
      ...(s === 1 && { bytes: [[0, bytes[0] + 8]] as Array<[number, number]> })
    })
  )
  const variables = bytes.map((_, v) => ({ name: `v${v}`, operations: [pulls[v], pushes[v], updates[v]] }))
  const names = Array.from({ length: Math.max(...servers) + 1 }, (_, task) => `/job:ps/replica:0/task:${task}`)
  return profileFrom(operations, steps, { variables, servers: names, clockOffsetUs: names.map(() => 0) })
}

/** Server of each variable: that of all its operations. */
export function serversOf(profile: Profile): number[] {
  return profile.variables!.map(({ name, operations }) => {
    const servers = new Set(operations.map(id => profile.operations[id].server))
    if (servers.size !== 1) throw new Error(`${name} is on ${servers.size} servers`)
    return [...servers][0]
  })
}
