import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { fileName } from '../../src/share/download.ts'
import { hasBrowser, launch } from '../support/browser.ts'
import { openBundle } from '../support/bundle.ts'

/** The curve is a line across the middle, 2.25 pixels thick. */
const content = `<main id="page"><div class="card"><div class="chart-block">
  <svg class="chart-svg" role="img" aria-label="A &amp; B" width="400" height="200" viewBox="0 0 400 200" data-x="1">
    <path class="curve" d="M0 100H400"/><text x="10" y="20">&lt;script&gt;</text><g style="display:none"><rect width="9" height="9"/></g>
  </svg>
  <ul class="legend"><li class="key-curve">mean</li><li class="key-bound">lowest bound</li><li class="key-measured">measured</li></ul>
</div></div></main>`

test.each([
  [['resnet50/trace', '16 workers'], 'resnet50-trace-16-workers.csv'],
  [['../../etc/passwd'], 'etc-passwd.csv'],
  [['\u202e', ''], 'foretrain.csv'],
  [['x'.repeat(300)], `${'x'.repeat(100)}.csv`]
])('a file of %j', (parts, name) => expect(fileName(parts, 'csv')).toBe(name))

describe.skipIf(!hasBrowser)('in Chromium', () => {
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser.close())
  afterEach(() => page.context().close())

  const open = async (colorScheme: 'light' | 'dark') => {
    page = await openBundle(browser, join(import.meta.dirname, 'harness.ts'), content, { colorScheme })
  }

  test.each([
    ['light', '11,107,99', '255,255,255'],
    ['dark', '92,201,186', '26,32,31']
  ] as const)('a chart keeps its looks without the style sheet, %s', async (scheme, accent, ground) => {
    await open(scheme)
    const svg = await page.evaluate(() => window.svg())
    expect(svg).not.toMatch(/class=|style=|var\(|data-x/)
    expect(svg).toContain('<title>A &amp; B</title>')
    expect(svg).toContain('&lt;script&gt;')
    for (const word of ['mean', 'lowest bound', 'measured']) expect(svg).toContain(`>${word}</text>`)
    const [, height] = /viewBox="0 0 400 ([0-9.]+)"/.exec(svg) ?? []
    expect(Number(height)).toBeGreaterThan(210)
    const png = await page.evaluate(() =>
      window.png([
        [400, 200],
        [400, 150],
        [2, 2]
      ])
    )
    expect(png.size).toEqual([800, Math.round(2 * Number(height))])
    expect(png.dots).toEqual([accent, ground, ground])
  })

  test('what is saved is what was given', async () => {
    await open('light')
    const waiting = page.waitForEvent('download')
    await page.evaluate(() => window.save('points.csv', 'workers\n1\n'))
    const saved = await waiting
    expect(saved.suggestedFilename()).toBe('points.csv')
    expect(await readFile(await saved.path(), 'utf8')).toBe('workers\n1\n')
  })
})
