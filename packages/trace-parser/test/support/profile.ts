import { expect } from 'vitest'
import {
  checkProfile,
  type Profile,
  parseProfile,
  type ReadOptions,
  readProfile,
  serializeProfile,
  TraceError,
  type TraceFile
} from '../../src/index.ts'

/** Reads a profile and checks what holds for every one: all records accounted for, the graph in order, saved and read back unchanged. */
export async function profileOf(files: Iterable<TraceFile>, options?: ReadOptions): Promise<Profile> {
  const { profile } = await readProfile(files, options)
  expectSound(profile)
  return profile
}

export function expectSound(profile: Profile): void {
  const { counts, operations } = profile
  const ignored = Object.values(counts.ignored).reduce((sum, count) => sum + count, 0)
  expect(counts.used + ignored).toBe(counts.records)
  operations.forEach(({ dependencies }, i) => {
    for (const dependency of dependencies) expect(dependency).toBeLessThan(i)
  })
  const found = checkProfile(profile)
  expect(profile.warnings).toEqual(expect.arrayContaining(found))
  expect(found.map(({ code }) => code)).not.toContain('unaccounted-records')
  const text = serializeProfile(profile)
  const again = parseProfile(text, 'again.json')
  expect(again).toEqual(profile)
  expect(serializeProfile(again)).toBe(text)
}

/** The message with which reading fails: a TraceError of one line. */
export async function failureOf(files: Iterable<TraceFile>, options?: ReadOptions): Promise<string> {
  try {
    await readProfile(files, options)
  } catch (error) {
    expect(error).toBeInstanceOf(TraceError)
    const { message } = error as TraceError
    expect(message).toMatch(/^[^\n\r]+$/)
    return message
  }
  throw new Error('expected a TraceError')
}

export function codes(profile: Profile): string[] {
  return profile.warnings.map(({ code }) => code)
}

/** "name (kind)" → names of its dependencies. */
export function graphOf(profile: Profile): Map<string, string[]> {
  const name = (i: number) => `${profile.operations[i].name} (${profile.operations[i].kind})`
  return new Map(profile.operations.map(({ dependencies }, i) => [name(i), dependencies.map(name)]))
}
