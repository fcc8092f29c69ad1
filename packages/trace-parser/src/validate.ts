import { TraceError } from './rawStep.ts'
import { plain } from './text.ts'

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
    throw new TraceError(`${plain(this.file)}: ${plain(this.path)} ${found}; expected ${expected}`)
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

  /** A finite number of at least `least`. */
  number(least = 0): number {
    const { value } = this
    if (typeof value !== 'number' || !Number.isFinite(value) || value < least) {
      this.fail(
        `is ${typeof value === 'number' ? value : typeName(value)}`,
        least === -Infinity ? 'a finite number' : `a finite number ≥ ${least}`
      )
    }
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

  /** `count` finite numbers of at least `least`. */
  numbers(count: number, least = 0): number[] {
    this.length(count)
    const array = this.array()
    array.forEach((value, i) => {
      if (typeof value !== 'number' || !Number.isFinite(value) || value < least) this.item(i).number(least)
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

  strings(least: number): string[] {
    return this.list(least, field => field.string())
  }

  /** At least `least` entries, each read by `read`. */
  list<T>(least: number, read: (field: Field, index: number) => T): T[] {
    const array = this.array()
    if (array.length < least) this.fail(`has ${array.length} entries`, `at least ${least}`)
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

function typeName(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : typeof value === 'string' ? `the text "${plain(value)}"` : String(value)
}
