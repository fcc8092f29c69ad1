import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { InputError } from '../src/errors.ts'
import { checkOutputFile, writeOutputFile } from '../src/io/outputFile.ts'
import { findTraces } from '../src/io/traceFiles.ts'
import { fakeIo } from './fixture.ts'

let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'foretrain-permissions-'))
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'secret.pb'), 'trace')
  chmodSync(join(folder, 'secret.pb'), 0)
  mkdirSync(join(folder, 'locked'))
  chmodSync(join(folder, 'locked'), 0)
})

afterAll(() => rmSync(folder, { recursive: true }))

/** Root may read everything: as root, the test acts as nobody for a moment. */
async function asOrdinaryUser(act: () => Promise<unknown>): Promise<unknown> {
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(65_534)
  try {
    return await act()
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}

test('a file that may not be read', async () => {
  const path = join(folder, 'secret.pb')
  const [trace] = await findTraces([path], fakeIo())
  const read = async () => {
    for await (const _ of trace.bytes);
  }
  await expect(asOrdinaryUser(read)).rejects.toThrow(new InputError(`${path}: permission denied (EACCES)`))
})

test('a folder that may not be searched', async () => {
  const path = join(folder, 'locked')
  await expect(asOrdinaryUser(() => findTraces([path], fakeIo()))).rejects.toThrow(
    new InputError(`${path}: permission denied (EACCES)`)
  )
  // A folder above it that is searched fails as loudly: half of the traces are not the profile that was asked for.
  await expect(asOrdinaryUser(() => findTraces([folder], fakeIo()))).rejects.toThrow(InputError)
})

test('a folder that may not be written to', async () => {
  const path = join(folder, 'result.json')
  // access(2), which the check asks, goes by the real user; here only the effective one is ordinary.
  const file = await checkOutputFile(path, false)
  await expect(asOrdinaryUser(() => writeOutputFile(file, 'text'))).rejects.toThrow(
    new InputError(`${path}: permission denied (EACCES)`)
  )
})
