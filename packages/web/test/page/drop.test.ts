import { join } from 'node:path'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, launch } from '../support/browser.ts'
import { examples, oneFilePage, openPage, problemOf, settled, smallCurve, testMs, tracesOf } from '../support/page.ts'

/** Drags files or folders of the disk over the page, and lets go. */
async function dragIn(page: Page, paths: string[]): Promise<void> {
  const session: CDPSession = await page.context().newCDPSession(page)
  const data = { items: [], files: paths, dragOperationsMask: 1 }
  const at = { x: 400, y: 60, data }
  await session.send('Input.dispatchDragEvent', { type: 'dragEnter', ...at })
  await session.send('Input.dispatchDragEvent', { type: 'dragOver', ...at })
  await page.getByText('Drop to predict').waitFor()
  await session.send('Input.dispatchDragEvent', { type: 'drop', ...at })
}

describe.runIf(hasBrowser)('what is dropped anywhere on the page', { timeout: testMs }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
  }, testMs)
  afterAll(() => browser?.close())

  it('is read: a folder with traces and what was measured', async () => {
    const { page, complaints, close } = await openPage(browser, oneFilePage + smallCurve)
    await dragIn(page, [join(examples, 'mobilenetv2-200')])
    await settled(page)
    const found = await page.locator('.found').textContent()
    expect(found).toContain('measured: mobilenetv2-200')
    expect(found).toContain('mobilenetv2-200')
    expect(await page.getByText('Drop to predict').count()).toBe(0)
    expect(await page.getByTestId('throughput-chart').locator('.measured').count()).toBeGreaterThan(0)
    expect(complaints).toEqual([])
    await close()
  })

  it('takes the place of what was there before, also while that is still simulated', async () => {
    const { page, close } = await openPage(browser, oneFilePage + smallCurve)
    await dragIn(page, [join(examples, 'resnet50-1000')])
    await page.getByTestId('throughput-chart').waitFor()
    await dragIn(page, tracesOf('mobilenetv2-200').slice(0, 3))
    await page.locator('.found', { hasText: 'of 3 files' }).waitFor()
    await settled(page)
    expect(await page.getByTestId('throughput-chart').locator('.measured').count()).toBe(0)
    await close()
  })

  it('says when there is no trace in a folder', async () => {
    const { page, close } = await openPage(browser)
    await dragIn(page, [join(examples, '../packages/web/src/style')])
    await expect.poll(() => problemOf(page)).toMatch(/\S/)
    expect(await problemOf(page)).not.toMatch(/bug:|\n/)
    await close()
  })
})
