/** Steps of two workers as a sequence of phases between them. */

/** [start, end] of each step of one worker, in order. */
export type Steps = Array<[number, number]>

interface PhaseBin {
  /** Steps of the first worker that began in this bin. */
  count: number
  /** Mean length of a step of either worker. */
  stepLength: number
  /** Standard deviation of the change of the phase from one step to the next, in steps. */
  driftDeviation: number
}

/** By the distance of the other's nearest begin, in tenths of a step: 0–0.1, …, 0.4–0.5. */
export function phaseBins(first: Steps, second: Steps): PhaseBin[] {
  const bins: Array<{ lengths: number[]; drifts: number[] }> = Array.from({ length: 5 }, () => ({ lengths: [], drifts: [] }))
  for (let i = 0; i + 1 < first.length; i++) {
    const [start, end] = first[i]
    const j = nearest(second, start)
    if (j + 1 >= second.length) continue
    const gap = second[j][0] - start
    const next = second[j + 1][0] - first[i + 1][0]
    const length = (end - start + second[j][1] - second[j][0]) / 2
    const bin = bins[Math.min(4, Math.floor((10 * Math.abs(gap)) / length))]
    bin.lengths.push(length)
    bin.drifts.push(((next - gap) * Math.sign(gap)) / length)
  }
  return bins.map(({ lengths, drifts }) => ({
    count: lengths.length,
    stepLength: mean(lengths),
    driftDeviation: deviation(drifts)
  }))
}

function nearest(steps: Steps, at: number): number {
  return steps.reduce((best, [start], i) => (Math.abs(start - at) < Math.abs(steps[best][0] - at) ? i : best), 0)
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

export function deviation(values: readonly number[]): number {
  const centre = mean(values)
  return Math.sqrt(mean(values.map(value => (value - centre) ** 2)))
}
