import { createReadStream, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Profile, readProfile, type TraceFile } from '@foretrain/trace-parser'
import type { Case } from '../../src/schema.ts'

export const examplesFolder = join(import.meta.dirname, '../../../../examples')

interface MeasuredCase extends Case {
  profile: Profile
}

/** A measured cluster of examples/ with the profile of its traces. */
export async function readCase(name: string): Promise<MeasuredCase> {
  const folder = join(examplesFolder, name)
  const described = JSON.parse(readFileSync(join(folder, 'case.json'), 'utf8')) as Case
  const files = readdirSync(join(folder, 'trace'))
    .sort()
    .map((file): TraceFile => ({ name: file, bytes: createReadStream(join(folder, 'trace', file)) }) as TraceFile)
  const { profile } = await readProfile(files)
  return { ...described, profile }
}
