import type { Profile, ProfileWarning } from './profile.ts'
import { counted, ms, short } from './text.ts'

/** Clocks of one host are read at different moments of a hand-over; more than this is out of order. */
const TOLERANCE_US = 1000
const SHORTEST_STEP_US = 10
const LONGEST_STEP_US = 3_600_000_000
/** Pulls and pushes of one server that differ by more than this factor are worth a look: something is sent twice, or not at all. */
const UNEVEN = 1.25
/** Share of all bytes at the busiest server, relative to an even share. */
const IMBALANCE = 1.5

/**
 * Examines a profile: dependencies in range and acyclic, nothing recorded before what it waits for, bytes in proportion, holes. An
 * empty list is a clean bill.
 *
 * @param profile from anywhere: of one that is broken, what is broken in its order comes alone
 */
export function checkProfile(profile: Profile): ProfileWarning[] {
  const order = checkOrder(profile)
  if (order.length > 0) return order
  return [...checkCounts(profile), ...checkTimes(profile), ...checkSpans(profile), ...checkBytes(profile), ...checkHoles(profile)]
}

/** Every record that came in was used, or was left out for a stated reason. */
function checkCounts({ counts }: Profile): ProfileWarning[] {
  const ignored = Object.values(counts.ignored).reduce((sum, count) => sum + count, 0)
  if (counts.records === counts.used + ignored) return []
  const message = `${counts.records} records came in, but ${counts.used} used and ${ignored} ignored are ${counts.used + ignored}`
  return [{ code: 'unaccounted-records', message, count: Math.abs(counts.records - counts.used - ignored) }]
}

/** A step of a few µs or of hours is a mistaken unit. */
function checkSpans({ steps }: Profile): ProfileWarning[] {
  const odd = steps.filter(({ spanUs }) => spanUs < SHORTEST_STEP_US || spanUs > LONGEST_STEP_US)
  if (odd.length === 0) return []
  const message = `${counted(odd.length, 'step')} of an implausible length (${odd[0].spanUs} µs): times are expected in µs`
  return [{ code: 'implausible-span', message, count: odd.length, where: odd[0].trace }]
}

function checkOrder({ operations, servers }: Profile): ProfileWarning[] {
  const warnings: ProfileWarning[] = []
  operations.forEach(({ name, server, dependencies }, i) => {
    for (const dependency of dependencies) {
      if (!(dependency >= 0 && dependency < operations.length)) {
        warnings.push({
          code: 'dangling',
          message: `operation ${i} (${short(name)}) depends on operation ${dependency}, which does not exist`,
          where: name
        })
      } else if (dependency >= i) {
        warnings.push({
          code: 'cyclic',
          message: `operation ${i} (${short(name)}) depends on operation ${dependency}, which does not come before it`,
          where: name
        })
      }
    }
    if (!(server >= 0 && server < servers.length)) {
      warnings.push({
        code: 'dangling',
        message: `operation ${i} (${short(name)}) is of server ${server} of ${servers.length}`,
        where: name
      })
    }
  })
  return warnings
}

/**
 * A transfer counts by its end alone: its start is a mixed-clock value. What the profile filled in is not evidence.
 */
function checkTimes({ operations, steps }: Profile): ProfileWarning[] {
  let backwards = 0
  let worstUs = 0
  let where = ''
  let worst = ''
  for (const step of steps) {
    const imputed = new Set(step.imputed)
    operations.forEach(({ kind, name, dependencies }, i) => {
      if (imputed.has(i)) return
      const ownUs = kind === 'pull' || kind === 'push' ? step.endUs[i] : step.startUs[i]
      for (const dependency of dependencies) {
        if (imputed.has(dependency)) continue
        const earlyUs = step.endUs[dependency] - ownUs
        if (earlyUs <= TOLERANCE_US) continue
        backwards++
        if (earlyUs <= worstUs) continue
        worstUs = earlyUs
        where = step.trace
        worst = `${short(name)} ${ms(earlyUs)} before ${short(operations[dependency].name)} ended`
      }
    })
  }
  if (backwards === 0) return []
  const message = `${counted(backwards, 'dependency')} recorded backwards by more than 1 ms (worst: ${worst})`
  return [{ code: 'backward-dependency', message, count: backwards, where }]
}

function checkBytes({ operations, servers }: Profile): ProfileWarning[] {
  const pulled = servers.map(() => 0)
  const pushed = servers.map(() => 0)
  for (const { kind, server, bytes } of operations) {
    if (kind === 'pull') pulled[server] += bytes
    if (kind === 'push') pushed[server] += bytes
  }
  const warnings = servers.flatMap((server, i): ProfileWarning[] => {
    const [most, least] = [Math.max(pulled[i], pushed[i]), Math.min(pulled[i], pushed[i])]
    if (most <= least * UNEVEN) return []
    const ratio = least === 0 ? '' : `, ${(most / least).toFixed(2)} to 1`
    const message = `${short(server)}: ${pulled[i]} bytes pulled and ${pushed[i]} pushed in a step${ratio}; a model is usually pulled once and pushed once`
    return [{ code: 'uneven-bytes', message, where: server }]
  })
  const totals = servers.map((_, i) => pulled[i] + pushed[i])
  const all = totals.reduce((sum, total) => sum + total, 0)
  const largest = totals.reduce((most, total) => Math.max(most, total), 0)
  if (largest > (IMBALANCE * all) / servers.length) {
    const busiest = totals.indexOf(largest)
    const share = Math.round((100 * largest) / all)
    warnings.push({
      code: 'server-imbalance',
      message: `${short(servers[busiest])} moves ${share} % of the bytes of ${servers.length} servers`,
      where: servers[busiest]
    })
  }
  return warnings
}

function checkHoles({ holes, steps }: Profile): ProfileWarning[] {
  if (holes.length === 0) return []
  const longest = holes.reduce((most, hole) => (hole.durationUs > most.durationUs ? hole : most))
  const between = `${longest.before === '' ? 'the start' : short(longest.before)} and ${longest.after === '' ? 'the end' : short(longest.after)}`
  return [
    {
      code: 'holes',
      message: `${counted(holes.length, 'hole')} of more than a tenth of a step in which nothing ran or was sent; the longest ${ms(longest.durationUs)} between ${between}`,
      count: holes.length,
      where: steps[longest.step]?.trace
    }
  ]
}
