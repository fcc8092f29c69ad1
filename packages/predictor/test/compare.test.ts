import { type Core, loadCore } from '@foretrain/core-wasm'
import type { Profile } from '@foretrain/trace-parser'
import { beforeAll, describe, expect, test } from 'vitest'
import { type CompareHooks, compare } from '../src/compare/compare.ts'
import { isTold, pairedGain } from '../src/compare/gain.ts'
import { type CompareQuestion, PolicyRuns, type Runner } from '../src/compare/policyRuns.ts'
import { fifo } from '../src/policies/fifo.ts'
import type { Policy } from '../src/policies/policy.ts'
import { tic } from '../src/policies/tic.ts'
import { QuestionError } from '../src/question.ts'
import { studentT975 } from '../src/statistics/studentT.ts'
import { gigabitPath, recordedBySimulation, sixLayers } from './support/syntheticProfile.ts'

let core: Core
let profile: Profile
beforeAll(async () => {
  core = await loadCore()
  const reversed = sixLayers()
  // Recorded in the worst order, so that the policies have something to gain.
  for (const step of reversed.steps)
    step.startUs = step.startUs.map((us, id) => (reversed.operations[id].kind === 'pull' ? 1100 - 5 * id : us))
  profile = recordedBySimulation(core, reversed, gigabitPath)
})

const fixed = { replications: 4, steps: 20 }
const ask = (changes: Partial<CompareQuestion> = {}, hooks: CompareHooks = {}) =>
  compare({ profile, workers: [1], policies: ['recorded', 'random', 'fifo', 'tic', 'tac'], fixed, ...changes }, hooks)

describe('the paired gain', () => {
  test('by hand', () => {
    // Ratio 1, residuals −1 and +1: standard error 1, 12.7 of them.
    const { mean, halfWidth } = pairedGain([1, 3], [2, 2])
    expect([mean, halfWidth]).toEqual([0, studentT975(1) / 2])
    // What both have in common drops out: twice as fast in each replication, however those differ.
    expect(pairedGain([2, 4, 9], [1, 2, 4.5])).toEqual({ mean: 1, halfWidth: 0 })
    expect(pairedGain([0.3, 0.7, 0.1], [0.3, 0.7, 0.1])).toEqual({ mean: 0, halfWidth: 0 })
  })

  test('is told when its interval leaves 0 out', () => {
    expect(isTold({ mean: -0.02, halfWidth: 0.01 })).toBe(true)
    expect(isTold({ mean: 0.01, halfWidth: 0.02 })).toBe(false)
    expect(isTold({ mean: 0, halfWidth: 0 })).toBe(false)
  })
})

describe('a comparison', () => {
  test('is the same for the same question, best first, over recorded', async () => {
    const document = await ask()
    expect(await ask()).toEqual(document)
    const gains = document.policies.map(({ gain }) => gain.mean)
    expect(gains).toEqual([...gains].sort((a, b) => b - a))
    expect(document).toMatchObject({ reference: 'recorded', workers: 1, servers: 1, replications: 4, seed: 1 })
    const of = (name: string) => document.policies.find(({ policy }) => policy === name)!
    expect(of('recorded').gain).toEqual({ mean: 0, ci95: [0, 0] })
    expect(of('recorded').told).toBe(false)
    expect(of('fifo').gain.mean).toBeGreaterThan(0.01)
    expect(of('fifo').told).toBe(true)
    expect(of('tac').sameOrderAs).toBe('fifo')
    expect(of('tac').stepsPerSecond).toEqual(of('fifo').stepsPerSecond)
    for (const { stepsPerSecond, gain } of document.policies) {
      expect(stepsPerSecond.band95[0]).toBeLessThanOrEqual(stepsPerSecond.ci95[0])
      expect(stepsPerSecond.mean / of('recorded').stepsPerSecond.mean - 1).toBeCloseTo(gain.mean, 12)
    }
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
    expect(document.warnings.filter(({ code }) => code === 'policy-not-measured').map(({ message }) => message)).toEqual([
      expect.stringMatching(/^policies random, fifo, tic, tac are simulated as defined/)
    ])
  })

  test('without recorded is over the first named', async () => {
    const { reference, policies } = await ask({ policies: ['tic', 'random'] })
    expect(reference).toBe('tic')
    expect(policies.find(({ policy }) => policy === 'tic')!.gain).toEqual({ mean: 0, ci95: [0, 0] })
  })

  test('takes a policy of the caller', async () => {
    const reversed: Policy = { name: 'reversed', rank: graph => ({ pulls: graph.pulls.map((_, position) => -position) }) }
    const { policies } = await ask({ policies: ['fifo', reversed] })
    expect(policies.map(({ policy }) => policy)).toEqual(['fifo', 'reversed'])
    expect(policies[1].gain.ci95[1]).toBeLessThan(0)
  })
})

test('policies that send alike get the same bits in every replication: nothing but the order differs', async () => {
  const again: Policy = { name: 'again', rank: (graph, order) => tic.rank(graph, order) }
  const unchanged: Policy = { name: 'unchanged', rank: () => undefined }
  const question: CompareQuestion = { profile, workers: [3], policies: ['tic', again, 'recorded', unchanged], fixed }
  const runs = await PolicyRuns.open(question)
  for (const replication of [0, 5]) {
    const [a, b, c, d] = await runs.rates([0, 1, 2, 3].map(policy => ({ policy, replication })))
    expect([a, c]).toEqual([b, d])
    expect(a).not.toBe(c)
  }
  const { policies } = await compare({ ...question, policies: ['recorded', unchanged] })
  expect(policies[1]).toMatchObject({ gain: { mean: 0, ci95: [0, 0] }, told: false })
})

test('a run does not depend on those before it', async () => {
  const question: CompareQuestion = { profile, workers: [2], policies: ['recorded', 'random'], fixed }
  const [first, second] = [await PolicyRuns.open(question), await PolicyRuns.open(question)]
  const runs = [0, 1].flatMap(policy => [0, 1].map(replication => ({ policy, replication })))
  expect(await first.rates(runs)).toEqual((await second.rates([...runs].reverse())).reverse())
})

describe('the stop rule', () => {
  /** Answers with rates around 1 whose paired difference scatters by `scatter`. */
  const runner = (scatter: number, asked: number[] = []): Runner => ({
    facts: async () => ({
      servers: 1,
      largestTransfer: 1,
      templates: { count: 20, computeStandardError: 0.01 },
      sameOrder: [0, 1],
      warnings: []
    }),
    rates: async runs => {
      asked.push(...runs.filter(({ policy }) => policy === 0).map(({ replication }) => replication))
      return runs.map(
        ({ policy, replication }) => 1 + 0.1 * Math.sin(replication) + (policy === 1 && replication % 2 ? scatter : 0)
      )
    },
    sensitivities: async () => ({ compute: 0.5, links: 0.5 })
  })
  const policies = ['recorded', fifo] as CompareQuestion['policies']
  const run = (scatter: number, changes: Partial<CompareQuestion>, asked: number[] = []) =>
    ask({ policies, fixed: undefined, ...changes }, { runner: runner(scatter, asked) })

  test('four replications when those tell', async () => {
    const asked: number[] = []
    expect((await run(0.001, { workers: [8] }, asked)).replications).toBe(4)
    expect(asked).toEqual([0, 1, 2, 3])
  })

  test('more until the gain is known to within the precision', async () => {
    const { replications, policies, warnings } = await run(0.03, { workers: [8] })
    expect(replications).toBeGreaterThan(4)
    expect(replications % 4).toBe(0)
    expect(warnings).toEqual([])
    for (const { gain } of policies) expect((gain.ci95[1] - gain.ci95[0]) / 2).toBeLessThanOrEqual(0.01)
  })

  test('at most 32, and 64 of few workers; what is left is said', async () => {
    expect((await run(0.5, { workers: [8] })).replications).toBe(32)
    const { replications, warnings } = await run(0.5, { workers: [4] })
    expect(replications).toBe(64)
    expect(warnings).toEqual([expect.objectContaining({ code: 'precision-not-reached', count: 1 })])
  })

  test('as many as were asked for', async () => {
    const { replications, warnings } = await run(0.5, { fixed: { replications: 7, steps: 20 } })
    expect([replications, warnings]).toEqual([7, []])
  })
})

test.each<[Partial<CompareQuestion>, RegExp]>([
  [{ workers: [1, 2] }, /workers are 1,2: use one cluster size/],
  [{ policies: [] }, /policies are empty/],
  [{ policies: ['tic', 'tic'] }, /policies name tic twice/],
  [{ policies: ['fastest' as 'tic'] }, /policy is fastest: use recorded, random/],
  [{ policies: ['order:x.csv'] }, /policy order:x.csv has no file/],
  [{ tune: true }, /tune is for policy priority/],
  [{ fixed: { replications: 1, steps: 20 } }, /number of replications is 1: use at least 2/],
  [{ precision: 2 }, /precision is 2/]
])('refused: %j', async (changes, message) => {
  const asked = ask(changes)
  await expect(asked).rejects.toThrow(QuestionError)
  await expect(asked).rejects.toThrow(message)
})
