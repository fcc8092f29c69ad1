import { expect, test } from 'vitest'
import { compareNaturally, looksLikeTrace } from '../src/fileNames.ts'

test.each([
  ['run_metadata_003.pb.gz', true],
  ['step.PB', true],
  ['RunMetadata-7', true],
  ['run-metadata.bin', true],
  ['run_metadata.json', false],
  ['saved_model.pb', false],
  ['host.xplane.pb', false],
  ['frozen_graph.pb', false],
  ['graph.pbtxt', false],
  ['events.out.tfevents.1', false]
])('%s in a folder: %s', (name, expected) => expect(looksLikeTrace(name)).toBe(expected))

test('natural order', () => {
  const names = ['b', 'a10', 'a9', 'a09', 'a', 'a1b2', 'a1b10', `a${'9'.repeat(30)}`, `a1${'0'.repeat(30)}`]
  expect(names.sort(compareNaturally)).toEqual([
    'a',
    'a1b2',
    'a1b10',
    'a09',
    'a9',
    'a10',
    `a${'9'.repeat(30)}`,
    `a1${'0'.repeat(30)}`,
    'b'
  ])
})
