import type { Operation, Profile } from '@foretrain/trace-parser'
import { partitionVariables } from './partition.ts'
import { type Placement, placeVariables, tracedServers } from './place.ts'
import { placedVariables } from './variables.ts'

/** Which servers hold what. */
interface Layout {
  servers: number
  placement: Placement
  /** Parts of each variable. */
  parts: number
}

/**
 * The profile as the job would have left it with other servers (docs/method.md §4): each variable's pulls, pushes, updates and what belongs to
 * them are on its server, everything else of the trace stays, dependencies and recorded starts too. Server operations of no variable stay
 * on their server k; where there are only M, they go to k mod M.
 *
 * @returns the same profile when that is where the traces have everything
 * @throws QuestionError when the placement cannot be made
 */
export function rePlaced(traced: Profile, { servers, placement, parts }: Layout): Profile {
  const before = tracedServers(traced)
  const profile = partitionVariables(traced, parts)
  if (placement === 'profile' && servers === before) return profile
  // One server holds everything; which variable it is of does not matter then.
  const variables = servers === 1 && profile.variables === undefined ? [] : placedVariables(profile)
  const placed = placeVariables(variables, servers, placement, before)
  const moved = variables.some(({ tracedServer }, index) => tracedServer !== placed[index])
  if (!moved && servers === before) return profile
  const serverOf = profile.operations.map(({ server }) => server % servers)
  variables.forEach(({ operations }, index) => {
    for (const id of operations) serverOf[id] = placed[index]
  })
  const operations = profile.operations.map(
    (operation, id): Operation => (operation.kind === 'compute' ? operation : { ...operation, server: serverOf[id] })
  )
  const names = Array.from({ length: servers }, (_, server) => `/job:ps/replica:0/task:${server}`)
  return { ...profile, operations, servers: names, clockOffsetUs: names.map(() => 0) }
}
