import { createReadStream, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readProfile, type TraceFile } from '../src/index.ts'

const examples = join(import.meta.dirname, '../../../examples')

function steps(name: string, count: number): TraceFile[] {
  const folder = join(examples, name, 'trace')
  const files = readdirSync(folder).sort().slice(0, count)
  return files.map(file => ({ name: join(name, file), bytes: createReadStream(join(folder, file)) }) as TraceFile)
}

test('traces of two jobs are refused by the first file of the second', async () => {
  const mixed = [...steps('densenet121-300', 2), ...steps('resnet50-1000', 2)]
  await expect(readProfile(mixed)).rejects.toThrow(
    /^resnet50-1000\/run_metadata_000\.pb\.gz: has \d+ of its \d+ operations in common with densenet121-300\/run_metadata_000\.pb\.gz; give the traces of one job$/
  )
})

test('whichever comes first', async () => {
  const mixed = [...steps('resnet50-1000', 1), ...steps('alexnet-1000', 1)]
  await expect(readProfile(mixed)).rejects.toThrow(/give the traces of one job/)
})
