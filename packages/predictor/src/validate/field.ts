/** A case document is at fault (exit code 1 in the command): one line that names file and field, what was found and what would be right. */
export class CaseError extends Error {
  override name = 'CaseError'
}

/** A value of a parsed JSON document with its path. */
export class Field {
  readonly #file: string
  readonly #path: string
  readonly value: unknown

  constructor(file: string, path: string, value: unknown) {
    this.#file = file
    this.#path = path
    this.value = value
  }

  fail(found: string, wanted: string): never {
    throw new CaseError(`${this.#file}: ${this.#path} ${found}: use ${wanted}`)
  }

  /** A field of an object; its value is undefined where there is none. */
  at(key: string): Field {
    const { value } = this
    if (!isObject(value)) this.fail(`is ${found(value)}`, 'an object')
    const path = this.#path === document ? key : `${this.#path}.${key}`
    return new Field(this.#file, path, Object.hasOwn(value, key) ? value[key] : undefined)
  }

  /** Reads the value unless it is missing. */
  optional<Value>(read: (field: this) => Value): Value | undefined {
    return this.value === undefined ? undefined : read(this)
  }

  entries(): Array<[string, Field]> {
    if (!isObject(this.value)) this.fail(`is ${found(this.value)}`, 'an object')
    return Object.keys(this.value).map(key => [key, this.at(key)])
  }

  list(wanted: string): Field[] {
    if (!Array.isArray(this.value)) this.fail(`is ${found(this.value)}`, wanted)
    return this.value.map((item, index) => new Field(this.#file, `${this.#path}[${index}]`, item))
  }

  text(wanted: string): string {
    if (typeof this.value !== 'string' || this.value === '') this.fail(`is ${found(this.value)}`, wanted)
    return this.value
  }

  number(accepts: (value: number) => boolean, wanted: string): number {
    const { value } = this
    if (typeof value !== 'number' || !Number.isFinite(value) || !accepts(value)) this.fail(`is ${found(value)}`, wanted)
    return value
  }

  whole(least: number, most: number): number {
    return this.number(
      value => Number.isInteger(value) && value >= least && value <= most,
      `a whole number from ${least} to ${most}`
    )
  }

  within(least: number, most: number): number {
    return this.number(value => value >= least && value <= most, `a number from ${least} to ${most}`)
  }

  positive(): number {
    return this.number(value => value > 0, 'a positive number')
  }

  notNegative(): number {
    return this.number(value => value >= 0, 'zero or a positive number')
  }
}

/** Path of the whole document. */
export const document = 'the document'

/** A value as it is shown in an error: short, and of one line. */
export function found(value: unknown): string {
  if (value === undefined) return 'missing'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (isObject(value)) return 'an object'
  const characters = [...JSON.stringify(value)]
  return characters.length > 60 ? `${characters.slice(0, 57).join('')}...` : characters.join('')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
