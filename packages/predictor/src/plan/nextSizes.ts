import { kneeOf } from './knee.ts'

/** What is looked for among cluster sizes. */
export interface Goal {
  /** Throughput to be met. */
  target: number
  /** Of the throughput of one worker, what a worker added before the knee brings at least. */
  kneeShare: number
  /** Growth of throughput, relative, up to which more doublings of the size count as none. */
  growth: number
  largest: number
}

/** Sizes right below the smallest that meets the target which must all have failed: throughput rises with the workers only on the average. */
const checkedBelowTarget = 2
/** The knee is found when its neighbours are this close, relative to it: the simulation is no more exact. */
const kneeGap = 1 / 16
/** The same where the knee is the largest size, so most likely beyond it. */
const lastKneeGap = 1 / 4
/** Up to so many workers phases may lock and make a dip of the curve, so that two doublings are looked at before growth is over. */
const fewWorkers = 16
/** Between two sizes whose throughputs per worker have this ratio or a higher one, the curve is taken as straight. */
const nearlyStraight = 0.9

const firstSizes = [1, 2, 4, 8]

/**
 * The cluster sizes to simulate next, ascending; none when the search is over.
 *
 * First 1, 2, 4, 8 and so on, until a doubling, of few workers two, no longer raises the highest throughput, or `largest` is reached. Then, between what is known, the smallest size that meets the target, and the knee. Where no
 * doubling meets the target, the sizes halfway to the neighbours of the fastest are tried.
 *
 * @param known size → throughput, of what was simulated so far
 */
export function nextSizes(known: ReadonlyMap<number, number>, goal: Goal): number[] {
  const doublings = doublingsIn(known, goal.largest)
  const next = moreDoublings(known, doublings, goal)
  if (next.length > 0) return next
  const wanted = [...towardsTarget(known, doublings, goal.target), ...towardsKnee(known, goal)]
  return [...new Set(wanted)].filter(size => !known.has(size)).sort((a, b) => a - b)
}

/** The size that follows in the row of doublings, whose last is `largest` itself. */
function doubled(size: number, largest: number): number {
  return Math.min(2 * size, largest)
}

/** The doublings from 1 on that are known without a gap. */
function doublingsIn(known: ReadonlyMap<number, number>, largest: number): number[] {
  const sizes: number[] = []
  for (let size = 1; known.has(size); size = doubled(size, largest)) {
    sizes.push(size)
    if (size === largest) break
  }
  return sizes
}

function moreDoublings(known: ReadonlyMap<number, number>, doublings: readonly number[], { growth, largest }: Goal): number[] {
  const last = doublings.at(-1)
  if (last === undefined) return [...new Set(firstSizes.map(size => Math.min(size, largest)))]
  if (last === largest) return []
  const highest = (sizes: readonly number[]) => Math.max(...sizes.map(size => known.get(size)!))
  const looked = last < fewWorkers ? 2 : 1
  const [before, latest] = [doublings.slice(0, -looked), doublings.slice(-looked)]
  if (highest(latest) <= highest(before) * (1 + growth)) return []
  const once = doubled(last, largest)
  return looked === 1 ? [once] : [...new Set([once, doubled(once, largest)])]
}

function towardsTarget(known: ReadonlyMap<number, number>, doublings: readonly number[], target: number): number[] {
  const meeting = [...known].filter(([, throughput]) => throughput >= target).map(([size]) => size)
  if (meeting.length === 0) {
    const fastest = doublings.reduce((best, size) => (known.get(size)! > known.get(best)! ? size : best))
    const at = doublings.indexOf(fastest)
    return [doublings[at - 1], doublings[at + 1]].filter(size => size !== undefined).map(size => Math.floor((size + fastest) / 2))
  }
  const smallest = Math.min(...meeting)
  const failed = Math.max(0, ...[...known.keys()].filter(size => size < smallest))
  if (smallest - failed > 1) return between([failed, known.get(failed)!], [smallest, known.get(smallest)!], target)
  return Array.from({ length: checkedBelowTarget }, (_, index) => smallest - 1 - index).filter(size => size >= 1)
}

/** Sizes between one that fails the target and one that meets it, two or more apart. */
function between([failed, low]: [number, number], [smallest, high]: [number, number], target: number): number[] {
  if (high / smallest < nearlyStraight * (low / failed)) return [Math.floor((failed + smallest) / 2)]
  // On the straight line the search ends with this size and the one below.
  const guess = failed + Math.ceil(((smallest - failed) * (target - low)) / (high - low))
  return [guess - 1, guess].filter(size => size > failed && size < smallest)
}

function towardsKnee(known: ReadonlyMap<number, number>, { kneeShare }: Goal): number[] {
  const slope = kneeShare * known.get(1)!
  const rated = [...known].map(([workers, throughput]) => ({ workers, throughput })).sort((a, b) => a.workers - b.workers)
  const knee = kneeOf(rated, slope)
  const at = rated.indexOf(knee)
  const closeEnough = Math.max(1, knee.workers * (at === rated.length - 1 ? lastKneeGap : kneeGap))
  return [rated[at - 1], rated[at + 1]]
    .filter(neighbour => neighbour !== undefined && Math.abs(neighbour.workers - knee.workers) > closeEnough)
    .map(neighbour => Math.floor((neighbour.workers + knee.workers) / 2))
}
