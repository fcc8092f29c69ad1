import { expect, test } from 'vitest'
import { compareNaturally } from '../src/fileNames.ts'

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
