/** A linear scale from values to pixels. */
export interface Scale {
  (value: number): number
  domain: [number, number]
  range: [number, number]
}

export function linear(domain: [number, number], range: [number, number]): Scale {
  const [from, to] = domain
  const [start, end] = range
  const perUnit = to === from ? 0 : (end - start) / (to - from)
  return Object.assign((value: number) => start + (value - from) * perUnit, { domain, range })
}

/**
 * Round numbers that cover 0 to `most`, about `count` of them.
 *
 * ticks(7.3, 4) = [0, 2, 4, 6, 8]
 */
export function ticks(most: number, count: number): number[] {
  if (!(most > 0)) return [0, 1]
  const step = roundStep(most / count)
  const steps = Math.ceil(most / step - 1e-9)
  return Array.from({ length: steps + 1 }, (_, i) => Number((i * step).toPrecision(12)))
}

/**
 * Whole numbers from `first` to `last` for an axis of cluster sizes, at most `count` of them, always with `first`.
 *
 * wholeTicks(1, 16, 6) = [1, 4, 8, 12, 16]
 */
export function wholeTicks(first: number, last: number, count: number): number[] {
  const step = Math.max(1, Math.ceil(roundStep((last - first) / count)))
  const found = [first]
  for (let tick = Math.ceil((first + step / 2) / step) * step; tick <= last; tick += step) found.push(tick)
  return found
}

/** The next of 1, 2, 2.5 (not below 10), 4, 5 times a power of ten. */
function roundStep(least: number): number {
  if (!(least > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(least))
  const factor = [1, 2, 2.5, 4, 5, 10].find(each => each * power >= least * (1 - 1e-9)) ?? 10
  return factor * power
}

/** A tick with as many decimals as its neighbours need. */
export function tickText(value: number, all: readonly number[]): string {
  const step = all.length > 1 ? Math.abs(all[1] - all[0]) : 1
  const decimals = Math.max(0, Math.min(6, -Math.floor(Math.log10(step) + 1e-9)))
  const needs = Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6 ? decimals + 1 : decimals
  return value.toFixed(needs)
}
