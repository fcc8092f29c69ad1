import { QuestionError } from '../question.ts'
import { quoted } from './oneLine.ts'

/** A kind of quantity: its units, each as a multiple of the base unit, and what is sensible. */
export interface Quantity {
  name: string
  units: Record<string, number>
  example: string
  /** In the base unit, inclusive; with the words for them. */
  smallest: [number, string]
  largest: [number, string]
}

const sizeUnits = { B: 1, kB: 1e3, MB: 1e6, GB: 1e9, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 }
const timeUnits = { us: 1, ms: 1e3, s: 1e6 }

/** Bits per second, nominal. */
export const bandwidth: Quantity = {
  name: 'bandwidth',
  units: { bps: 1, kbps: 1e3, Mbps: 1e6, Gbps: 1e9 },
  example: '1Gbps',
  smallest: [1e3, '1kbps'],
  largest: [1e15, '1000000Gbps']
}

/** Bytes. */
export const windowSize: Quantity = {
  name: 'size',
  units: sizeUnits,
  example: '8MiB',
  smallest: [1e3, '1kB'],
  largest: [1e15, '1000000GB']
}

/** Bytes; at least 1. */
export const chunkSize: Quantity = { ...windowSize, example: '4MB', smallest: [1, '1B'] }

/** Bytes; may be 0. */
export const burstSize: Quantity = { ...windowSize, example: '256KiB', smallest: [0, '0B'] }

/** µs; may be 0. */
export const delay: Quantity = {
  name: 'time',
  units: timeUnits,
  example: '0.1ms',
  smallest: [0, '0s'],
  largest: [3.6e9, '3600s']
}

/** µs; longer than 0. */
export const duration: Quantity = {
  name: 'time',
  units: timeUnits,
  example: '412ms',
  smallest: [1, '1us'],
  largest: [1e12, '1000000s']
}

/** µs; of what a timeline shows. */
export const timelineLength: Quantity = { ...duration, example: '2s', largest: [1e11, '100000s'] }

/** µs per byte. */
export const parseCost: Quantity = {
  name: 'cost',
  units: Object.fromEntries(
    Object.entries(timeUnits).flatMap(([time, us]) =>
      Object.entries(sizeUnits).map(([size, bytes]) => [`${time}/${size}`, us / bytes])
    )
  ),
  example: '0.04us/kB',
  smallest: [0, '0us/kB'],
  largest: [1, '1us/B']
}

/** A fraction. */
export const precision: Quantity = {
  name: 'precision',
  units: { '%': 0.01 },
  example: '1%',
  smallest: [1e-4, '0.01%'],
  largest: [0.5, '50%']
}

/** A fraction; may be 0. */
export const errorLimit: Quantity = {
  name: 'error',
  units: { '%': 0.01 },
  example: '10%',
  smallest: [0, '0%'],
  largest: [10, '1000%']
}

const shape = /^([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?) ?(.*)$/is

/**
 * Reads "1Gbps" into the base unit of the quantity. `flag` is for the message: "--bandwidth".
 *
 * @throws QuestionError of one line that begins with the flag
 */
export function parseQuantity(flag: string, text: string, quantity: Quantity): number {
  const [, digits, writtenUnit] = shape.exec(text.trim()) ?? []
  const accepted = listUnits(quantity)
  if (digits === undefined) {
    throw new QuestionError(`${flag} ${quoted(text)}: write a number and a unit (${accepted}), such as ${quantity.example}`)
  }
  if (writtenUnit === '') {
    throw new QuestionError(`${flag} ${quoted(text)}: a unit is needed (${accepted}), such as ${quantity.example}`)
  }
  const unit = writtenUnit.replace(/[\u00b5\u03bc]/g, 'u')
  if (!Object.hasOwn(quantity.units, unit)) {
    throw new QuestionError(`${flag} ${quoted(text)}: unknown unit; accepted: ${accepted}, such as ${quantity.example}`)
  }
  const factor = quantity.units[unit]
  const number = Number(digits)
  // Dividing where the factor is a negative power of ten keeps 0.04us/kB the double nearest to 0.00004.
  const value = factor < 1 ? number / (1 / factor) : number * factor
  const [smallest, smallestText] = quantity.smallest
  const [largest, largestText] = quantity.largest
  if (!(value >= smallest && value <= largest)) {
    throw new QuestionError(`${flag} ${quoted(text)}: must be between ${smallestText} and ${largestText}`)
  }
  return value
}

function listUnits(quantity: Quantity): string {
  if (quantity === parseCost) return 'us, ms or s per B, kB, MB, GB, KiB, MiB or GiB'
  const units = Object.keys(quantity.units)
  return units.length === 1 ? units[0] : `${units.slice(0, -1).join(', ')} or ${units.at(-1)}`
}
