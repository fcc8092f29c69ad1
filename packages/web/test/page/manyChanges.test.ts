import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, launch } from '../support/browser.ts'
import { drop, oneFilePage, openPage, settled, smallCurve, tracesOf } from '../support/page.ts'

const MOVES = 400

describe.runIf(hasBrowser)('sliders that move hundreds of times', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await launch()
  }, 60_000)
  afterAll(() => browser?.close())

  it('end with the curve of where they stand', async () => {
    const { page, complaints, close } = await openPage(browser, oneFilePage + smallCurve)
    await drop(page, tracesOf('alexnet-1000').slice(0, 2))
    await settled(page)
    await page.locator('input[type=range]').evaluateAll((sliders, moves) => {
      for (let move = 0; move < moves; move++) {
        for (const slider of sliders as HTMLInputElement[]) {
          const share = move === moves - 1 ? 0.1 : ((move * 37) % 101) / 100
          slider.value = String(Number(slider.min) + (Number(slider.max) - Number(slider.min)) * share)
          slider.dispatchEvent(new Event('input', { bubbles: true }))
        }
      }
    }, MOVES)
    // The smallest cluster of the last position; the curve before had four sizes.
    const rows = page.getByTestId('throughput-table').locator('tbody tr')
    await expect.poll(() => rows.count(), { timeout: 15_000 }).toBe(2)
    await settled(page)
    expect(complaints).toEqual([])
    await close()
  })
})
