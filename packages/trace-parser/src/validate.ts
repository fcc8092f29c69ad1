import { TraceError } from './rawStep.ts'
import { short } from './text.ts'

/** A value of a parsed JSON document with its path, so that every complaint names file and field. */
export class Field {
  private readonly file: string
  private readonly path: string
  private readonly value: unknown

  constructor(file: string, path: string, value: unknown) {
    this.file = file
    this.path = path
    this.value = value
  }

  /** @throws TraceError always: one line with file, field, what was found and what would be right */
  fail(found: string, expected: string): never {
    throw new TraceError(`${short(this.file)}: ${short(this.path)} ${found}; expected ${expected}`)
  }

  /** A field of an object. Only own properties count: "__proto__" is a name like any other. */
  at(key: string): Field {
    const { value } = this
    if (typeof value !== 'object' || value === null || Array.isArray(value)) this.fail(`is ${typeName(value)}`, 'an object')
    return new Field(
      this.file,
      `${this.path}.${key}`,
      Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined
    )
  }

  has(key: string): boolean {
    return typeof this.value === 'object' && this.value !== null && Object.hasOwn(this.value, key)
  }

  item(index: number): Field {
    return new Field(this.file, `${this.path}[${index}]`, this.array()[index])
  }

  length(expected: number): void {
    const { length } = this.array()
    if (length !== expected) this.fail(`has ${length} entries`, `${expected}`)
  }

  string(): string {
    if (typeof this.value !== 'string') this.fail(`is ${typeName(this.value)}`, 'a text')
    return this.value
  }

  /** A number from `least` to `most`. */
  number(least: number, most: number): number {
    const { value } = this
    if (!isNumberWithin(value, least, most))
      this.fail(`is ${typeof value === 'number' ? value : typeName(value)}`, `a number from ${least} to ${most}`)
    return value
  }

  integer(least: number, most = Number.MAX_SAFE_INTEGER): number {
    const { value } = this
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
      const range = most === Number.MAX_SAFE_INTEGER ? `≥ ${least}` : `from ${least} to ${most}`
      this.fail(`is ${typeof value === 'number' ? value : typeName(value)}`, `a whole number ${range}`)
    }
    return value
  }

  /** `count` numbers from `least` to `most`. */
  numbers(count: number, least: number, most: number): number[] {
    this.length(count)
    const array = this.array()
    array.forEach((value, i) => {
      if (!isNumberWithin(value, least, most)) this.item(i).number(least, most)
    })
    return array as number[]
  }

  /** Different whole numbers from 0, ascending, all below `limit`. */
  ascending(limit: number): number[] {
    const array = this.array()
    array.forEach((value, i) => {
      const least = i === 0 ? 0 : (array[i - 1] as number) + 1
      if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value >= limit)
        this.item(i).integer(least, limit - 1)
    })
    return array as number[]
  }

  strings(least: number, most = Number.POSITIVE_INFINITY): string[] {
    return this.list(least, field => field.string(), most)
  }

  /** From `least` to `most` entries, each read by `read`. */
  list<T>(least: number, read: (field: Field, index: number) => T, most = Number.POSITIVE_INFINITY): T[] {
    const array = this.array()
    if (array.length < least) this.fail(`has ${array.length} entries`, `at least ${least}`)
    if (array.length > most) this.fail(`has ${array.length} entries`, `at most ${most}`)
    return array.map((_, i) => read(this.item(i), i))
  }

  /** An object of whole numbers. */
  counts(): Record<string, number> {
    const { value } = this
    if (typeof value !== 'object' || value === null || Array.isArray(value)) this.fail(`is ${typeName(value)}`, 'an object')
    return Object.fromEntries(Object.keys(value).map(key => [key, this.at(key).integer(0)]))
  }

  private array(): unknown[] {
    if (!Array.isArray(this.value)) this.fail(`is ${typeName(this.value)}`, 'a list')
    return this.value
  }
}

function isNumberWithin(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && value >= least && value <= most
}

function typeName(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : typeof value === 'string' ? `the text "${short(value)}"` : String(value)
}
