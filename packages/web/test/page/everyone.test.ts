import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, launch } from '../support/browser.ts'
import { drop, oneFilePage, openPage, problemOf, settled, smallCurve, tableOf, testMs, tracesOf } from '../support/page.ts'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Finding {
  id: string
  impact: string
  nodes: Array<{ html: string; failureSummary: string }>
}

/** What axe finds serious or critical, in words. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axeSource)
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: Finding[] }> } }
    return (await axe.run()).violations
  })
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`))
}

const looks: Array<[string, BrowserContextOptions]> = [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['narrow', { viewport: { width: 360, height: 740 } }]
]

describe.runIf(hasBrowser)('a page for everyone', { timeout: testMs }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
  }, testMs)
  afterAll(() => browser?.close())

  it.each(looks)('has nothing that axe calls serious: %s', async (_, options) => {
    const { page, close } = await openPage(browser, oneFilePage + smallCurve, options)
    expect(await findings(page)).toEqual([])
    await page.getByTestId('workers-input').waitFor({ state: 'detached' })
    await drop(page, tracesOf('mobilenetv2-200').slice(0, 2))
    await settled(page)
    await page.getByTestId('timeline').locator('canvas').first().waitFor()
    for (const summary of await page.locator('summary').all()) await summary.click()
    expect(await findings(page)).toEqual([])
    await page.getByTestId('workers-input').fill('none')
    await page.getByTestId('error').waitFor()
    expect(await findings(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    await close()
  })

  it('is worked by keyboard alone', async () => {
    const { page, close } = await openPage(browser, oneFilePage + smallCurve)
    const focused = () =>
      page.evaluate(() => document.activeElement?.getAttribute('data-testid') ?? document.activeElement?.textContent)
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Skip to the results')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('drop-input')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('folder-input')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('example')
    await page.keyboard.press('Enter')
    await settled(page)
    await page.getByLabel('bandwidth', { exact: true }).and(page.locator('.slider')).focus()
    const before = await tableOf(page)
    await page.keyboard.press('ArrowLeft')
    await settled(page)
    expect(await page.getByTestId('bandwidth-input').inputValue()).toMatch(/^890Mbps$/)
    expect((await tableOf(page)).get(4)!).toBeLessThan(before.get(4)!)
    await page.getByTestId('throughput-table').getByRole('button', { name: '2', exact: true }).focus()
    await page.keyboard.press('Enter')
    expect(await page.getByLabel('looking at').inputValue()).toBe('2')
    await close()
  })

  it('moves nothing on its own while it simulates', async () => {
    const { page, close } = await openPage(browser, oneFilePage + smallCurve)
    await page.getByTestId('example').click()
    await settled(page)
    await page.evaluate(() => {
      const shifts: number[] = []
      Object.assign(globalThis, { shifts })
      new PerformanceObserver(list => {
        for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value)
      }).observe({ type: 'layout-shift' })
    })
    await page.getByTestId('bandwidth-input').fill('2Gbps')
    await settled(page)
    const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: number[] }).shifts)
    expect(shifts.reduce((sum, value) => sum + value, 0)).toBeLessThan(0.02)
    await close()
  })

  it('carries its settings in a link', async () => {
    const first = await openPage(browser, oneFilePage + smallCurve)
    await first.page.getByTestId('example').click()
    await settled(first.page)
    await first.page.getByTestId('workers-input').fill('1,2,4')
    await first.page.getByTestId('bandwidth-input').fill('5Gbps')
    await first.page.getByLabel('mode', { exact: true }).fill('ssp:3')
    await settled(first.page)
    const link = await first.page.getByTestId('link').inputValue()
    expect(link).toContain('#workers=1%2C2%2C4&bandwidth=5Gbps&batch=32&mode=ssp%3A3')
    await expect.poll(() => first.page.url()).toBe(link)
    const numbers = await tableOf(first.page)
    await first.close()

    const second = await openPage(browser, link)
    await second.page.getByTestId('example').click()
    await settled(second.page)
    expect(await second.page.getByTestId('bandwidth-input').inputValue()).toBe('5Gbps')
    expect(await second.page.getByTestId('workers-input').inputValue()).toBe('1,2,4')
    await second.page.getByLabel('mode', { exact: true }).fill('ssp:3')
    await settled(second.page)
    expect(await tableOf(second.page)).toEqual(numbers)
    await second.close()
  })

  it('refuses a link that says what no field would', async () => {
    const { page, close } = await openPage(browser, `${oneFilePage}#__proto__=1&workers=4`)
    await expect.poll(() => problemOf(page)).toMatch(/^the link: unknown setting "__proto__"/)
    await close()
  })
})
