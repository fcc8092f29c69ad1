import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { mainThreadTasks } from '../lib/browserTasks.mjs'
import { resnet, traceFiles } from '../lib/paths.mjs'
import { rowOf } from '../lib/row.mjs'

export const title = 'the page, in Chromium'

const barKB = 250
const barFirstCurveSeconds = 1
const barCoarseMs = 100
const barTaskMs = 50
/** Long enough for the workers of the page to have compiled their code. */
const restMs = 4_000
/** Rates that a hand may choose, one after the other; none twice. */
const rates = ['800Mbps', '2Gbps', '1.5Gbps', '5Gbps', '600Mbps', '3Gbps', '10Gbps', '1.2Gbps', '4Gbps', '900Mbps']

const built = dirname(fileURLToPath(import.meta.resolve('@foretrain/web/index.html')))
const address = import.meta.resolve('@foretrain/web/foretrain.html')

/** @param {{ quick: boolean }} options */
export async function run({ quick }) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    // Chromium has no sandbox for root.
    args: ['--no-sandbox']
  })
  try {
    const rounds = quick ? 1 : 5
    /** @type {number[]} */
    const atOnce = []
    /** @type {number[]} */
    const rested = []
    for (let round = 0; round < rounds; round++) {
      atOnce.push(await firstCurveSeconds(browser, 0))
      rested.push(await firstCurveSeconds(browser, restMs))
    }
    const { coarse, refined, full, tasks } = await slide(browser, quick ? 3 : rates.length)
    return {
      rows: [
        rowOf('the page as gzip, without the example', 'kB', [packedBytes() / 1000], { bar: barKB }),
        rowOf('20 files dropped, to the first curve', 's', rested, { bar: barFirstCurveSeconds }),
        rowOf('the same, dropped as soon as the page is there', 's', atOnce),
        rowOf('a new bandwidth, to its coarse curve', 'ms', coarse, { bar: barCoarseMs }),
        rowOf('to its refined curve', 'ms', refined),
        rowOf('to its full curve with bands', 'ms', full),
        rowOf(
          'longest task of the main thread meanwhile',
          'ms',
          tasks.map(({ ms }) => ms),
          { bar: barTaskMs }
        ),
        rowOf(
          'its processor time',
          'ms',
          tasks.map(({ cpuMs }) => cpuMs),
          { bar: barTaskMs }
        )
      ],
      notes: [
        `Traces of ${resnet}, 1 to 16 workers, precision 1 %; \`foretrain.html\` from the disk; Chromium ${browser.version()}, headless.`,
        'By the clock of the page: from the event of the field to the points handed to the chart. The longest task is that of each change, from a trace of the browser; its processor time leaves out what other programs took.'
      ]
    }
  } finally {
    await browser.close()
  }
}

/** What a browser fetches before anything is dropped. */
function packedBytes() {
  const assets = readdirSync(join(built, 'assets')).filter(name => !name.includes('example'))
  const paths = ['index.html', ...assets.map(name => join('assets', name))]
  return paths.reduce((sum, path) => sum + gzipSync(readFileSync(join(built, path))).length, 0)
}

/** @param {import('playwright-core').Browser} browser */
async function openPage(browser) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  await page.goto(address)
  await page.getByTestId('drop-input').waitFor({ state: 'attached' })
  return page
}

/**
 * Milliseconds from the last change to a curve of this level.
 *
 * @param {import('playwright-core').Page} page
 * @param {'coarse' | 'refined' | 'full'} level
 */
async function msTo(page, level) {
  const measured = await page.waitForFunction(name => performance.getEntriesByName(name).at(-1)?.duration, `${level} curve`)
  return /** @type {Promise<number>} */ (measured.jsonValue())
}

/**
 * @param {import('playwright-core').Browser} browser
 * @param {number} waitMs between the page and the drop
 */
async function firstCurveSeconds(browser, waitMs) {
  const page = await openPage(browser)
  await page.waitForTimeout(waitMs)
  await page.getByTestId('drop-input').setInputFiles(traceFiles(resnet))
  const ms = await msTo(page, 'coarse')
  await page.close()
  return ms / 1000
}

/**
 * Changes the bandwidth again and again.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {number} times
 */
async function slide(browser, times) {
  const page = await openPage(browser)
  await page.getByTestId('drop-input').setInputFiles(traceFiles(resnet))
  await msTo(page, 'full')
  /** @type {Record<'coarse' | 'refined' | 'full', number[]>} */
  const taken = { coarse: [], refined: [], full: [] }
  /** @type {import('../lib/browserTasks.mjs').Task[]} */
  const longest = []
  for (const rate of rates.slice(0, times)) {
    // The window of the timeline is simulated after the curve.
    await page.locator('[data-testid=timeline][aria-busy=false] canvas').first().waitFor()
    const tasks = await mainThreadTasks(browser, page, async () => {
      await page.evaluate(() => performance.clearMeasures())
      await page.getByTestId('bandwidth-input').fill(rate)
      for (const level of /** @type {const} */ (['coarse', 'refined', 'full'])) taken[level].push(await msTo(page, level))
    })
    longest.push(tasks.reduce((most, task) => (task.cpuMs > most.cpuMs ? task : most)))
  }
  await page.close()
  return { ...taken, tasks: longest }
}
