import { expect, test } from 'vitest'
import { freshProcess } from '../lib/freshProcess.mjs'

test('time, memory and output of a process are its own', async () => {
  const hoard = Buffer.alloc(300e6, 1)
  const idle = await freshProcess(['--eval', 'console.log("said")'])
  expect(idle.output).toBe('said\n')
  expect(idle.seconds).toBeGreaterThan(0)
  expect(idle.peakMB).toBeGreaterThan(10)
  // What this process holds is not counted, what the child once held is. Only Linux tells the first apart.
  if (process.platform === 'linux') expect(idle.peakMB).toBeLessThan(200)
  const busy = await freshProcess(['--eval', 'Buffer.alloc(250e6, 1)'])
  expect(busy.peakMB).toBeGreaterThan(250)
  expect(hoard.length).toBe(300e6)
})

test('a process that fails has no figures', async () => {
  await expect(freshProcess(['--eval', 'console.error("broken"); process.exit(3)'])).rejects.toThrow('ended with 3: broken')
})
