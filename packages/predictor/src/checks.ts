import { QuestionError } from './question.ts'

/** Of one cluster. */
export const mostWorkers = 100_000
export const mostServers = 65_535
export const mostCores = 65_535

interface Range {
  least: number
  most: number
  unit: string
}

/** Beyond these a simulation is of nothing real, and may never end. */
export const rates: Range = { least: 1e3, most: 1e15, unit: 'bit/s' }
export const bursts: Range = { least: 0, most: 1e15, unit: 'bytes' }
export const delays: Range = { least: 0, most: 3.6e9, unit: 'µs' }
export const speeds: Range = { least: 1e-6, most: 1e6, unit: 'times the traced worker' }

export function wholeNumber(field: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most)
    fail(field, `is ${value}`, `a whole number from ${least} to ${most}`)
}

export function positive(field: string, value: number | undefined): void {
  if (value !== undefined && !(value > 0 && value < Number.POSITIVE_INFINITY)) fail(field, `is ${value}`, 'a positive number')
}

export function within(field: string, value: number | undefined, { least, most, unit }: Range): void {
  if (value !== undefined && !(value >= least && value <= most))
    fail(field, `is ${value} ${unit}`, `a number from ${least} to ${most} ${unit}`)
}

/** @param wanted leave it and `what` out where the line says it all */
export function fail(field: string, what?: string, wanted?: string): never {
  throw new QuestionError(what === undefined ? field : `${field} ${what}: use ${wanted}`)
}
