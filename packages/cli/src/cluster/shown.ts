import { quoted } from '@foretrain/predictor/text'

/** A value of a file as it is shown in an error: short, and of one line. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  return typeof value === 'string' ? quoted(value) : String(value)
}
