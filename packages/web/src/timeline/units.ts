/** Times and sizes as the timeline writes them. */

/** "1.23 ms": three digits, or as many as tell it from what is `resolutionUs` apart. */
export function timeText(us: number): string {
  const size = Math.abs(us)
  if (size >= 1e6) return `${digits(us / 1e6)} s`
  if (size >= 1e3) return `${digits(us / 1e3)} ms`
  return `${digits(us)} µs`
}

/** A place in time beside others: the same unit for all, and as many decimals as tell places that are `resolutionUs` apart. */
export function placeText(us: number, resolutionUs: number): string {
  const [unit, name] = resolutionUs >= 1e5 ? [1e6, 's'] : resolutionUs >= 0.5 ? [1e3, 'ms'] : [1, 'µs']
  const decimals = Math.max(0, Math.min(6, Math.ceil(-Math.log10(resolutionUs / unit) - 1e-9)))
  return `${(us / unit).toFixed(decimals)} ${name}`
}

export function sizeText(bytes: number): string {
  if (bytes >= 1e9) return `${digits(bytes / 1e9)} GB`
  if (bytes >= 1e6) return `${digits(bytes / 1e6)} MB`
  return bytes >= 1e3 ? `${digits(bytes / 1e3)} kB` : `${digits(bytes)} B`
}

function digits(value: number): string {
  const size = Math.abs(value)
  const decimals = size >= 100 || Number.isInteger(value) ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3
  return value.toFixed(decimals)
}

/**
 * Round places of an axis, at least so far apart. Of 1, 2 and 5 times a power of ten.
 *
 * axisPlaces(0.3, 4.2, 1) = [1, 2, 3, 4]
 */
export function axisPlaces(from: number, to: number, leastStep: number): { places: number[]; step: number } {
  const power = 10 ** Math.floor(Math.log10(leastStep))
  const step = [1, 2, 5, 10].map(factor => factor * power).find(candidate => candidate >= leastStep * (1 - 1e-9)) ?? 10 * power
  const places: number[] = []
  for (let i = Math.ceil(from / step - 1e-9); i * step <= to + step * 1e-9; i++) places.push(i * step)
  return { places, step }
}
