import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { type Profile, type ReadOptions, readProfile, type TraceFile } from '../../src/index.ts'
import { expectSound, failureOf } from './profile.ts'
import { file, steps } from './runMetadata.ts'

const FIXTURES = new URL('../fixtures/', import.meta.url)

export const fixtureBytes = (path: string) => new Uint8Array(readFileSync(new URL(path, FIXTURES)))

export interface Expected {
  /** Sound steps in front of the file. */
  among?: number
  options?: ReadOptions
}

/**
 * Imports a fixture and checks what holds for every import: the same under a name that says nothing and in other pieces, all records accounted
 * for, sound, saved and read back unchanged.
 */
export async function fixtureProfile(path: string, { among = 0, options }: Expected = {}): Promise<Profile> {
  const bytes = fixtureBytes(path)
  const name = path.slice(path.lastIndexOf('/') + 1)
  const companions = (): TraceFile[] => steps(among)
  const { profile } = await readProfile([...companions(), file(bytes, name)], options)
  expectSound(profile)
  const unnamed = await readProfile([...companions(), file(bytes, 'x', 997)], options)
  expect(unnamed.profile).toEqual(JSON.parse(JSON.stringify(profile).replaceAll(name, 'x')))
  return profile
}

/** The sentence that refuses a fixture, without the file's name; the same under a name that says nothing. */
export async function fixtureRefusal(path: string, { among = 0, options }: Expected = {}): Promise<string> {
  const bytes = fixtureBytes(path)
  const name = path.slice(path.lastIndexOf('/') + 1)
  const message = await failureOf([...steps(among), file(bytes, name)], options)
  expect(await failureOf([...steps(among), file(bytes, 'x', 997)], options)).toBe(message.replaceAll(name, 'x'))
  expect(message.startsWith(`${name}: `)).toBe(true)
  return message.slice(name.length + 2)
}
