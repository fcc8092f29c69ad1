import { quoted } from '@foretrain/predictor/text'
import { InputError } from '../errors.ts'
import { readSmallFile } from '../io/smallFile.ts'

/** Sizes of tensors, for timelines of TensorFlow, which do not record them. */
export interface SizesFlag {
  sizes?: string
}

const header = 'tensor,bytes'
/** Names of a hundred thousand tensors. */
const mostBytes = 16 * 1024 * 1024

/**
 * Reads the file of --sizes: a line `tensor,bytes`, then a line for each tensor or variable. A name may hold commas, and stand in quotes.
 *
 * @throws InputError with the line that is at fault
 */
export async function readSizes(name: string): Promise<Map<string, number>> {
  const lines = (await readSmallFile(name, mostBytes)).replace(/^\ufeff/, '').split(/\r?\n/)
  if (lines[0].trim() !== header) throw new InputError(`${name}:1: is ${quoted(lines[0])}; expected the columns ${header}`)
  const sizes = new Map<string, number>()
  lines.slice(1).forEach((line, i) => {
    if (line.trim() === '') return
    const fail = (found: string, expected: string): never => {
      throw new InputError(`${name}:${i + 2}: ${found}; expected ${expected}`)
    }
    const comma = line.lastIndexOf(',')
    const tensor = line
      .slice(0, Math.max(comma, 0))
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .replaceAll('""', '"')
    const digits = line.slice(comma + 1).trim()
    if (tensor === '') fail(`no name of a tensor in ${quoted(line)}`, 'a tensor and its bytes, as in "w/read,4096"')
    const bytes = /^[0-9]+$/.test(digits) ? Number(digits) : Number.NaN
    if (!Number.isSafeInteger(bytes)) fail(`bytes of ${quoted(digits)}`, 'a whole number from 0 to 9007199254740991')
    if (sizes.has(tensor) && sizes.get(tensor) !== bytes)
      fail(`${quoted(tensor)} has ${bytes} bytes here and ${sizes.get(tensor)} above`, 'one size for each tensor')
    sizes.set(tensor, bytes)
  })
  if (sizes.size === 0) throw new InputError(`${name}: no sizes; expected a line for each tensor below ${header}`)
  return sizes
}
