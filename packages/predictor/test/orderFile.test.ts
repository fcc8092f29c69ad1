import { describe, expect, test } from 'vitest'
import { orderOf } from '../src/policies/orderFile.ts'
import type { Ranks } from '../src/policies/policy.ts'
import { pullsOfPushes, variableOfPull } from '../src/policies/variables.ts'
import { predict } from '../src/predict/predict.ts'
import { QuestionError } from '../src/question.ts'
import { graphFrom, oneStepProfile, type Part } from './support/stepGraphs.ts'

const parts: Part[] = [
  ['conv1/kernel/read', 'pull', [], 400],
  ['conv1/bias/read', 'pull', [], 16],
  ['conv2/kernel/read', 'pull', [], 400],
  ['conv1', 'compute', ['conv1/kernel/read', 'conv1/bias/read'], 100],
  ['conv2', 'compute', ['conv1', 'conv2/kernel/read'], 100],
  ['back2', 'compute', ['conv2'], 100],
  ['g2', 'push', ['back2'], 400],
  ['back1', 'compute', ['back2'], 100],
  ['g1', 'push', ['back1'], 400],
  ['gb', 'push', ['back1'], 16],
  ['gx', 'push', ['back1'], 99]
]
const graph = graphFrom(parts)
const order = (text: string) => orderOf('order:o.csv', { file: 'o.csv', text })
const ranks = (text: string) => order(text).rank(graph, 0) as Ranks

describe('a file', () => {
  test.each([
    ['plain', 'conv2/kernel,1\nconv1/kernel,2\nconv1/bias,3\n'],
    [
      'with names of columns, spaces, a byte order mark and Windows lines',
      '\uFEFFvariable, rank\r\nconv2/kernel , 1\r\n\r\nconv1/kernel,2.0\r\nconv1/bias,3e0\r\n'
    ],
    ['with directions', 'variable,rank,direction\nconv2/kernel,1,pull\nconv1/kernel,2,pull\nconv1/bias,3,pull\n'],
    ['by the names of transfers', 'conv2/kernel/read,1\nconv1/kernel/read,2\nconv1/bias/read,3\n']
  ])('%s', (_what, text) => {
    expect(ranks(text)).toEqual({ pulls: [2, 3, 1] })
    expect(order(text).unrankedPulls(graph)).toBe(0)
  })

  test('what it does not list comes last, and is counted', () => {
    expect(ranks('conv2/kernel,7')).toEqual({ pulls: [8, 8, 7] })
    expect(order('conv2/kernel,7').unrankedPulls(graph)).toBe(2)
  })

  test('pushes have the rank of their variable', () => {
    // g2 comes first in the backward pass, so it is of conv2; gx has the size of no variable and goes by its own name.
    const text = 'conv2/kernel,1,push\nconv1/kernel,2,push\nconv1/bias,3,push\ngx,4,push\nconv1/bias,5,pull\n'
    expect(ranks(text)).toEqual({ pulls: [6, 5, 6], pushes: [1, 2, 3, 4] })
  })
})

test.each<[string, string, string]>([
  ['empty', '', 'o.csv:1: no rank in it: write a line variable,rank for each variable'],
  ['names of columns alone', 'variable,rank\n', 'o.csv:1: no rank in it: write a line variable,rank for each variable'],
  ['one column', 'conv1/bias\n', 'o.csv:1: 1 columns: use variable,rank or variable,rank,direction'],
  ['four columns', 'conv1/bias,1,pull,x', 'o.csv:1: 4 columns: use variable,rank or variable,rank,direction'],
  ['no variable', 'conv1/bias,1\n,2', 'o.csv:2: no variable: use variable,rank'],
  ['a word for a number', 'conv1/bias,1\n\nconv1/kernel,first', 'o.csv:3: rank "first" is no number: use one such as 3'],
  ['no number', 'conv1/bias,', 'o.csv:1: rank "" is no number: use one such as 3'],
  ['an endless number', 'conv1/bias,1e999', 'o.csv:1: rank "1e999" is no number: use one such as 3'],
  ['a hexadecimal number', 'conv1/bias,0x10', 'o.csv:1: rank "0x10" is no number: use one such as 3'],
  ['another direction', 'conv1/bias,1,both', 'o.csv:1: direction "both": use pull or push'],
  [
    'a variable twice',
    'variable,rank\nconv1/bias,1\nconv1/kernel,2\nconv1/bias,3',
    'o.csv:4: conv1/bias has a rank already, in line 2: list each pull once'
  ],
  [
    'an unknown variable',
    'conv1/bias,1\nconv9/bias,2',
    'o.csv:2: the profile has no pull of variable conv9/bias: use one of its 6 names, such as conv1/kernel'
  ],
  [
    'an unknown push',
    'conv9/bias,2,push',
    'o.csv:1: the profile has no push of variable conv9/bias: use one of its 7 names, such as conv2/kernel'
  ]
])('a bad file: %s', (_what, text, message) => {
  let thrown: unknown
  try {
    ranks(text)
  } catch (error) {
    thrown = error
  }
  expect(thrown).toBeInstanceOf(QuestionError)
  expect((thrown as Error).message).toBe(message)
})

test('a prediction names what its file leaves open', async () => {
  const profile = oneStepProfile(parts)
  const text = 'conv2/kernel,1\nconv2/kernel,1,push\n'
  const question = { profile, workers: [1], policy: 'order:o.csv' as const, fixed: { replications: 2, steps: 5 } }
  const { points, warnings } = await predict({ ...question, orders: { 'order:o.csv': { file: 'o.csv', text } } })
  expect(points[0].policy).toBe('order:o.csv')
  expect(warnings).toContainEqual({
    code: 'order-incomplete',
    message: '2 of 3 pulls have no rank: they come last, in recorded order',
    count: 2,
    where: 'order:o.csv'
  })
  expect(warnings.map(({ code }) => code)).toContain('policy-not-measured')
  await expect(predict(question)).rejects.toThrow('policy order:o.csv has no file')
})

test('variables by the names of their transfers', () => {
  expect(['a/b/read/part_1', 'a/ReadVariableOp_2/part_0'].map(variableOfPull)).toEqual(['a/b/part_1', 'a/part_0'])
  const names = ['a/b/read', 'a/b/read:0', 'dense/MatMul/ReadVariableOp', 'dense/Read/ReadVariableOp_1', 'plain']
  expect(names.map(variableOfPull)).toEqual(['a/b', 'a/b', 'dense/MatMul', 'dense', 'plain'])
})

test('an update that carries the name of its variable settles whose push it is', () => {
  const named = graphFrom([
    ['v/read', 'pull', [], 8],
    ['w/read', 'pull', [], 8],
    ['x', 'compute', ['v/read', 'w/read'], 100],
    ['g1', 'push', ['x'], 8],
    ['g2', 'push', ['x'], 8],
    ['GradientDescent/update_w/ApplyGradientDescent', 'update', ['g1'], 50],
    ['GradientDescent/update_v/ApplyGradientDescent', 'update', ['g2'], 50]
  ])
  expect(pullsOfPushes(named, [0, 1])).toEqual([1, 0])
})
