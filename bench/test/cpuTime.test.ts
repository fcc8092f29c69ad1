import { expect, test } from 'vitest'
import { cpuTimeOf } from '../lib/cpuTime.mjs'

test('computing counts, waiting does not', async () => {
  const computing = await cpuTimeOf(() => {
    let sum = 0
    for (let i = 0; i < 3e7; i++) sum += Math.sqrt(i)
    return sum
  })
  const waiting = await cpuTimeOf(async () => {
    await new Promise(resolve => setTimeout(resolve, 200))
    return 'done'
  })
  expect(computing.result).toBeGreaterThan(1e10)
  expect(computing.seconds).toBeGreaterThan(0.005)
  expect(waiting.result).toBe('done')
  expect(waiting.seconds).toBeLessThan(0.1)
})
