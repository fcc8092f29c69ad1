import { createReadStream, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { mergePredictions, predict, shareOut } from '@foretrain/predictor'
import { readProfile, type TraceFile } from '@foretrain/trace-parser'
import { expect, test } from 'vitest'

test('sizes are shared out by what they cost, each once', () => {
  expect(shareOut([1, 2, 3, 4], 1)).toEqual([[1, 2, 3, 4]])
  expect(shareOut([8], 4)).toEqual([[8]])
  const parts = shareOut([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 3)
  expect(parts.flat().sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  const costs = parts.map(part => part.reduce((sum, size) => sum + size, 0))
  expect(Math.max(...costs) - Math.min(...costs)).toBeLessThan(8)
})

test('parts make the document of the whole', async () => {
  const folder = join(import.meta.dirname, '../../../examples/alexnet-1000/trace')
  const files = readdirSync(folder).map((name): TraceFile => ({ name, bytes: createReadStream(join(folder, name)) }) as TraceFile)
  const { profile } = await readProfile(files)
  const question = { profile, workers: [1, 3, 2, 5], precision: 0.001 }
  const whole = await predict(question)
  expect(whole.warnings.map(({ code }) => code)).toContain('precision-not-reached')
  const parts = await Promise.all([[5], [1, 2, 3]].map(workers => predict({ ...question, workers })))
  expect(mergePredictions(parts, question.workers, question.precision)).toEqual(whole)
})

test('with several numbers of servers too', async () => {
  const folder = join(import.meta.dirname, '../../../examples/alexnet-1000/trace')
  const files = readdirSync(folder).map((name): TraceFile => ({ name, bytes: createReadStream(join(folder, name)) }) as TraceFile)
  const { profile } = await readProfile(files)
  const question = { profile, workers: [1, 3], servers: [1, 2], fixed: { replications: 1, steps: 4 } }
  const whole = await predict(question)
  expect(whole.warnings.map(({ code }) => code)).toContain('hot-server')
  const parts = await Promise.all([[3], [1]].map(workers => predict({ ...question, workers })))
  expect(mergePredictions(parts, question.workers, undefined)).toEqual(whole)
})
