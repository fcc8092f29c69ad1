import { describe, expect, test } from 'vitest'
import { QuestionError } from '../../src/question.ts'
import { parseChoice, parseWhole, parseWorkers } from '../../src/text/numbers.ts'

describe('--workers', () => {
  test.each<[string, number[]]>([
    ['8', [8]],
    ['1-4', [1, 2, 3, 4]],
    ['3-3', [3]],
    ['1,2,4,8', [1, 2, 4, 8]],
    ['1-4,8', [1, 2, 3, 4, 8]],
    ['8,1-3', [1, 2, 3, 8]],
    ['2,1-3,2', [1, 2, 3]],
    ['1, 2 , 4 - 5', [1, 2, 4, 5]],
    ['007', [7]],
    ['100000', [100_000]]
  ])('%s', (text, sizes) => {
    expect(parseWorkers('--workers', text)).toEqual(sizes)
  })

  test('ten thousand sizes are accepted', () => {
    expect(parseWorkers('--workers', '1-10000')).toHaveLength(10_000)
  })

  test.each<[string, string]>([
    ['', 'write cluster sizes such as 8, 1-16 or 1,2,4,8'],
    ['1-', 'write cluster sizes such as 8, 1-16 or 1,2,4,8'],
    ['-3', 'write cluster sizes such as 8, 1-16 or 1,2,4,8'],
    ['1,,2', 'write cluster sizes such as 8, 1-16 or 1,2,4,8'],
    ['1,2,', 'write cluster sizes such as 8, 1-16 or 1,2,4,8'],
    ['1.5', 'write cluster sizes such as 8, 1-16 or 1,2,4,8'],
    ['1e3', 'write cluster sizes such as 8, 1-16 or 1,2,4,8'],
    ['0x8', 'write cluster sizes such as 8, 1-16 or 1,2,4,8'],
    ['NaN', 'write cluster sizes such as 8, 1-16 or 1,2,4,8'],
    ['\u0663', 'write cluster sizes such as 8, 1-16 or 1,2,4,8'],
    ['0', 'a cluster has at least 1 worker'],
    ['0-4', 'a cluster has at least 1 worker'],
    ['8-1', 'the range 8-1 is reversed; write 1-8'],
    ['9999999999', 'at most 100000 workers'],
    ['1-100001', 'at most 100000 workers'],
    [`1${'0'.repeat(400)}`, 'at most 100000 workers'],
    ['1-10001', 'at most 10000 cluster sizes at once'],
    ['1-100000', 'at most 10000 cluster sizes at once']
  ])('refuses %s', (text, reason) => {
    expect(() => parseWorkers('--workers', text)).toThrow(QuestionError)
    expect(() => parseWorkers('--workers', text)).toThrow(new RegExp(`^--workers ".*": ${reason}$`))
  })
})

describe('whole numbers', () => {
  test.each(['1', '32', '+5', '100'])('%s', text => {
    expect(parseWhole('--batch', text, 1, 100)).toBe(Number(text))
  })
  test.each(['0', '101', '-1', '1.5', '1e1', '', ' ', 'NaN', 'Infinity', '0x10', '9'.repeat(400)])('refuses %j', text => {
    expect(() => parseWhole('--batch', text, 1, 100)).toThrow(/^--batch ".*": must be a whole number between 1 and 100$/)
  })
})

test('words', () => {
  expect(parseChoice('--policy', 'recorded', ['recorded'])).toBe('recorded')
  expect(() => parseChoice('--policy', 'tic', ['recorded', 'random'])).toThrow(
    new QuestionError('--policy "tic": accepted: recorded, random')
  )
})
