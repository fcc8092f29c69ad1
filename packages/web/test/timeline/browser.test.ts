import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser, launch } from '../support/browser.ts'
import { onPaper, simulated } from './columns.ts'
import { openTimeline } from './mounted.ts'

/** Two operations of which the second waits for the first: on the wire, parsed, computed. */
const small = onPaper(
  ['step', 'pull from server 0', 'parse', 'compute'],
  [
    { lane: 0, startUs: 0, durationUs: 100_000, kind: 'step' },
    { lane: 1, startUs: 10_000, durationUs: 20_000, kind: 'pull', operation: 0 },
    { lane: 2, startUs: 30_000, durationUs: 10_000, kind: 'parse', operation: 0 },
    { lane: 3, startUs: 60_000, durationUs: 30_000, kind: 'compute', operation: 1 }
  ],
  [[], [0]]
)
small.operations.name = ['<b>conv1</b>/kernel/read', 'dense']
small.operations.server[0] = 0
small.bytes.set([2_500_000, 2_500_000], 1)

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]
}

describe.skipIf(!hasBrowser)('in Chromium', () => {
  let browser: Browser
  let page: Page
  const errors: Error[] = []
  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser.close())
  afterEach(async () => {
    expect(errors).toEqual([])
    await page.context().close()
  })

  async function open(...[columns, options]: [Parameters<typeof openTimeline>[1], Parameters<typeof openTimeline>[2]?]) {
    page = await openTimeline(browser, columns, options)
    page.on('pageerror', error => errors.push(error))
  }

  /** Of the small run: middle of the time, in a row below the name of the host. */
  async function placeOf(us: number, row: number): Promise<{ x: number; y: number }> {
    const box = await page.locator('.timeline-canvas').boundingBox()
    if (box === null) throw new Error('the canvas has no place')
    return { x: box.x + ((us + 1000) / 102_000) * box.width, y: box.y + 26 + 7 + row * 17 }
  }

  const text = (selector: string) => page.locator(selector).textContent()

  test('a zoom over 100,000 slices draws a frame in 16 ms', async () => {
    const columns = await simulated(8, 6)
    expect(columns.startUs.length).toBeGreaterThan(100_000)
    await open(columns)
    await page.evaluate(() => {
      window.drawnMs = []
    })
    await page.evaluate(() => window.zoomAndBack(40))
    const drawnMs = await page.evaluate(() => window.drawnMs)
    expect(drawnMs.length).toBeGreaterThan(70)
    expect(median(drawnMs)).toBeLessThan(16)
  })

  test('hover tells operation, bytes and times, and a name from a trace is text', async () => {
    await open(small)
    const { x, y } = await placeOf(20_000, 1)
    await page.mouse.move(x, y)
    expect(await page.locator('.timeline-tip > *').allTextContents()).toEqual([
      '<b>conv1</b>/kernel/read',
      'pull on the wire · MatMul · 2.50 MB',
      'server 0 → worker 0',
      '10.000 ms – 30.000 ms · 20 ms'
    ])
    await page.mouse.move(x, y + 300)
    expect(await page.locator('.timeline-tip').isVisible()).toBe(false)
  })

  test('what is told follows a zoom under a pointer that rests', async () => {
    await open(small)
    // A pixel before "dense" begins: near enough to be told of it, until a zoom makes it more pixels.
    const { x, y } = await placeOf(59_900, 3)
    await page.mouse.move(x, y)
    expect(await page.locator('.timeline-tip strong').textContent()).toBe('dense')
    expect(await page.locator('.timeline-tip').isVisible()).toBe(true)
    await page.mouse.wheel(0, -1000)
    await page.waitForFunction(() => (document.querySelector('.timeline-tip') as HTMLElement).hidden)
  })

  test('two fingers zoom, and what lies between them stays', async () => {
    await open(small, { hasTouch: true })
    const { x, y } = await placeOf(50_000, 1)
    const touch = await page.context().newCDPSession(page)
    const fingers = (type: string, apart: number) =>
      touch.send('Input.dispatchTouchEvent', {
        type: type as 'touchStart',
        touchPoints: type === 'touchEnd' ? [] : [-1, 1].map((side, id) => ({ x: x + (side * apart) / 2, y, id }))
      })
    await fingers('touchStart', 100)
    for (const apart of [120, 160, 200]) await fingers('touchMove', apart)
    await fingers('touchEnd', 0)
    await expect.poll(() => text('.timeline-shown')).toMatch(/^5[01]\.?\d* ms of 100 ms$/)
    expect(await page.locator('.timeline-name').count()).toBe(0)
  })

  test('a click selects, and leads along the dependencies', async () => {
    await open(small)
    const { x, y } = await placeOf(75_000, 3)
    await page.mouse.click(x, y)
    expect(await text('.timeline-name')).toBe('dense')
    await page.locator('.timeline-related .timeline-link').click()
    expect(await text('.timeline-facts')).toContain('parse')
    await page.locator('.timeline-related .timeline-link').first().click()
    expect(await text('.timeline-facts')).toMatch(/size2\.50 MB/)
  })

  test('the keyboard does all of it', async () => {
    await open(small)
    await page.locator('.timeline-view').focus()
    await page.keyboard.press('Enter')
    expect(await text('[role=status]')).toBe(
      '<b>conv1</b>/kernel/read: pull on the wire, MatMul, server 0 → worker 0, 2.50 MB, begins at 10.000 ms, takes 20 ms'
    )
    await page.keyboard.press('n')
    await page.keyboard.press('n')
    expect(await text('.timeline-name')).toBe('dense')
    await page.keyboard.press('p')
    expect(await text('.timeline-facts')).toContain('parse')
    const shown = () => text('.timeline-shown')
    expect(await shown()).toBe('100 ms of 100 ms')
    await page.keyboard.press('+')
    expect(await shown()).toBe('61.2 ms of 100 ms')
    await page.keyboard.press('0')
    expect(await shown()).toBe('100 ms of 100 ms')
    await page.keyboard.press('Escape')
    expect(await page.locator('.timeline-name').count()).toBe(0)
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('worker 0')
    await page.keyboard.press('Enter')
    expect(await page.locator('.timeline-host').first().getAttribute('aria-expanded')).toBe('false')
  })

  test('a drag moves and selects nothing; what is shown is a table too', async () => {
    await open(small)
    for (let i = 0; i < 3; i++) await page.getByRole('button', { name: 'Zoom in' }).click()
    await page.locator('.timeline-twin summary').click()
    const rows = () => page.locator('.timeline-table tbody th').allTextContents()
    // The browser tells of an opened disclosure a task later.
    await expect.poll(rows).toEqual(['step 0'])
    const { x, y } = await placeOf(50_000, 1)
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x - 400, y, { steps: 5 })
    await page.mouse.up()
    await page.waitForFunction(() => document.querySelectorAll('.timeline-table tbody tr').length === 2)
    expect(await rows()).toEqual(['step 0', 'dense'])
    expect(await page.locator('.timeline-name').count()).toBe(0)
  })

  test('the colours follow the page, the size follows the window, another run replaces the first', async () => {
    await open(small, { deviceScaleFactor: 2 })
    const corner = () =>
      page.evaluate(() => {
        const canvas = document.querySelector('.timeline-canvas') as HTMLCanvasElement
        const [red] = canvas.getContext('2d')?.getImageData(canvas.width - 4, canvas.height - 4, 1, 1).data ?? []
        return { red, dots: canvas.width / canvas.clientWidth }
      })
    const frames = () => page.evaluate(() => window.drawnMs.length)
    const after = async (act: () => Promise<unknown>) => {
      const before = await frames()
      await act()
      await page.waitForFunction(count => window.drawnMs.length > count, before)
    }
    expect((await corner()).red).toBeGreaterThan(200)
    await after(() => page.emulateMedia({ colorScheme: 'dark' }))
    expect((await corner()).red).toBeLessThan(60)
    await after(() => page.setViewportSize({ width: 500, height: 700 }))
    expect((await corner()).dots).toBeCloseTo(2, 1)
    await page.evaluate(columns => window.mounted.update(columns), onPaper(['compute'], []))
    expect(await text('.timeline-shown')).toBe('1 µs of 1 µs')
    await page.getByRole('button', { name: 'Save timeline for Perfetto' }).click()
    expect(await page.evaluate(() => window.exports)).toBe(1)
    await page.evaluate(() => window.mounted.destroy())
    expect(await page.locator('#host').innerHTML()).toBe('')
  })

  test('what is shown is saved as a table and as a picture', async () => {
    await open(small)
    await page.getByRole('button', { name: 'Save timeline as CSV' }).click()
    await page.waitForFunction(() => window.saved?.[0] === 'csv')
    expect(await page.evaluate(() => window.saved[1])).toBe(
      [
        'host,track,kind,operation,type,worker,step,start_us,duration_us,bytes,waited_us',
        'worker 0,step,step,,,0,0,0,100000,0,0',
        'worker 0,pull from server 0,pull,<b>conv1</b>/kernel/read,MatMul,0,0,10000,20000,2500000,0',
        'worker 0,parse,parse,<b>conv1</b>/kernel/read,MatMul,0,0,30000,10000,2500000,0',
        'worker 0,compute,compute,dense,MatMul,0,0,60000,30000,0,0\n'
      ].join('\n')
    )
    await page.getByRole('button', { name: 'Save timeline as PNG' }).click()
    await page.waitForFunction(() => window.saved[0] === 'png')
    const box = await page.locator('.timeline-canvas').boundingBox()
    const size = (await page.evaluate(() => window.saved[1])) as [number, number]
    expect(size[0]).toBeCloseTo(2 * (168 + (box?.width ?? 0)), -1)
    expect(size[1]).toBeCloseTo(2 * (22 + (box?.height ?? 0)), -1)
  })

  test.each(['light', 'dark'] as const)('axe finds nothing serious, %s', async colorScheme => {
    await open(small, { colorScheme })
    await page.locator('.timeline-view').focus()
    await page.keyboard.press('Enter')
    await page.locator('.timeline-twin summary').click()
    await page.addScriptTag({ content: readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8') })
    const found = await page.evaluate(async () => {
      const { axe } = window as unknown as {
        axe: { run(): Promise<{ violations: Array<{ id: string; impact: string; nodes: unknown[] }> }> }
      }
      const { violations } = await axe.run()
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${JSON.stringify(nodes)}`)
    })
    expect(found).toEqual([])
  })
})
