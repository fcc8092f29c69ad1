import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, launch } from '../support/browser.ts'
import { drop, openPage, set, settled, testMs, tracesOf } from '../support/page.ts'

interface TraceEvent {
  name: string
  pid: number
  tid: number
  /** Processor's time, µs. */
  tdur?: number
  args: { name?: string }
}

/** Longest task of the page's main thread meanwhile, in ms of the processor's time: what other programs take does not count. */
async function longestTaskMs(browser: Browser, work: () => Promise<void>): Promise<number> {
  await browser.startTracing(undefined, { categories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'] })
  await work()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  const idOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const main = new Set(traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(idOf))
  const tasks = traceEvents.filter(event => event.name.endsWith('RunTask') && main.has(idOf(event)))
  expect(tasks.length).toBeGreaterThan(10)
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur / 1000))
}

describe.runIf(hasBrowser)('the main thread', { timeout: testMs }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
  }, testMs)
  afterAll(() => browser?.close())

  it('is free while files are read and clusters simulated', async () => {
    const { page, close } = await openPage(browser)
    await drop(page, tracesOf('resnet50-1000').slice(0, 3))
    await settled(page)
    await page.getByTestId('timeline').locator('canvas').first().waitFor()
    const ms = await longestTaskMs(browser, async () => {
      await drop(page, tracesOf('resnet50-1000'))
      await page.locator('.found', { hasText: 'of 20 files' }).waitFor()
      await settled(page)
      await set(page, 'latency one way', '1ms')
    })
    expect(ms).toBeLessThan(50)
    await close()
  })
})
