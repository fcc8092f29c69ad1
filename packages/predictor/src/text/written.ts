/** Numbers as people read them, with their units. */

/** Shown for a number that does not exist: no update, no bound. */
export const missing = '-'

/** A number with so many significant digits, never with an exponent below 10^21; large numbers keep all digits before the point. */
export function significant(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return missing
  return value.toFixed(decimalsFor(value, digits))
}

/** A number with two decimals. */
export function twoDecimals(value: number | null | undefined): string {
  return typeof value === 'number' && Number.isFinite(value) ? value.toFixed(2) : missing
}

/** A function that writes all numbers of a column with the same decimals, enough for the smallest to keep its significant digits. */
export function columnFormat(
  values: Array<number | null | undefined>,
  digits = 4,
  mostDecimals = 4
): (value: number | null | undefined) => string {
  const sizes = values.filter(value => typeof value === 'number' && Number.isFinite(value) && value !== 0) as number[]
  const smallest = sizes.length > 0 ? sizes.reduce((least, value) => Math.min(least, Math.abs(value)), Number.POSITIVE_INFINITY) : 1
  const decimals = Math.min(decimalsFor(smallest, digits), Math.max(mostDecimals, decimalsFor(smallest, 2)))
  return value => (typeof value === 'number' && Number.isFinite(value) ? value.toFixed(decimals) : missing)
}

/** "12 %", "3.4 %", "0.05 %". */
export function percent(fraction: number | null | undefined, digits = 2): string {
  if (fraction === null || fraction === undefined || !Number.isFinite(fraction)) return missing
  const value = fraction * 100
  return `${Math.abs(value) >= 99.5 ? value.toFixed(0) : value === 0 ? '0' : value.toFixed(Math.min(decimalsFor(value, digits), 2))} %`
}

/** Bytes in decimal units: "102.4 MB". */
export function bytes(value: number): string {
  return scaled(value, ['B', 'kB', 'MB', 'GB', 'TB'], 1000)
}

function scaled(value: number, units: string[], step: number): string {
  let index = 0
  let size = value
  // 999.96 kB would be written as 1000.0 kB.
  while (Math.abs(size) >= step * 0.99995 && index < units.length - 1) {
    size /= step
    index += 1
  }
  return `${index === 0 && Number.isInteger(size) ? size : significant(size)} ${units[index]}`
}

/** How to write a parameter, by the unit in which the document holds it; others are written as they are. */
const writers: Record<string, (value: number) => string> = {
  B: bytes,
  bytes,
  'B/s': value => `${bytes(value)}/s`,
  'bytes/s': value => `${bytes(value)}/s`,
  'bits/s': value => scaled(value, ['bps', 'kbps', 'Mbps', 'Gbps', 'Tbps'], 1000),
  us: time,
  // As --parse-cost takes it.
  'us/B': value => `${significant(value * 1000)} us/kB`,
  share: value => percent(value),
  // Numbers without a unit.
  factor: value => significant(value),
  1: value => significant(value)
}

/** A parameter with its unit, in a unit that suits its size. Words, such as "unlimited", need no unit. */
export function withUnit(value: number | string, unit: string): string {
  if (typeof value === 'string') return unit === '' || !/[0-9]$/.test(value) ? value : `${value} ${unit}`
  if (Object.hasOwn(writers, unit)) return writers[unit](value)
  return `${Number.isInteger(value) ? value : significant(value)}${unit === '' ? '' : ` ${unit}`}`
}

/** µs in a unit that suits: "412 ms". */
export function time(us: number): string {
  const [factor, unit] = Math.abs(us) >= 1e6 ? [1e6, 's'] : Math.abs(us) >= 1e3 ? [1e3, 'ms'] : [1, 'us']
  const value = us / factor
  return `${Number.isInteger(value) ? value : significant(value)} ${unit}`
}

/** "1 step", "20 steps". */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

function decimalsFor(value: number, digits: number): number {
  if (value === 0) return 0
  // Of the rounded value: 0.99999 has the decimals of 1.
  const magnitude = Math.floor(Math.log10(Math.abs(Number(value.toPrecision(digits)))))
  return Math.min(Math.max(digits - 1 - magnitude, 0), 12)
}
