import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Prediction } from '@foretrain/predictor'
import { predictionCsv } from '@foretrain/predictor/text'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, launch } from '../support/browser.ts'
import {
  drop,
  examples,
  type OpenedPage,
  openPage,
  runCommand,
  saved,
  set,
  settled,
  tableOf,
  testMs,
  tracesOf
} from '../support/page.ts'

const example = 'resnet50-1000'
const caseFile = join(examples, example, 'case.json')

/** A browser does not tell where a file lies. */
function withoutFolders(document: Prediction): Prediction {
  const traces = document.profile.traces.map(path => basename(path))
  return { ...document, profile: { ...document.profile, traces } }
}

describe.runIf(hasBrowser)('the way through, on a measured cluster', { timeout: testMs }, () => {
  let browser: Browser
  let opened: OpenedPage
  let page: Page

  beforeAll(async () => {
    browser = await launch()
    opened = await openPage(browser)
    page = opened.page
    await drop(page, [...tracesOf(example), caseFile])
    await settled(page)
  }, testMs)
  afterAll(() => browser?.close())

  const predicted = async (...flags: string[]) =>
    withoutFolders(JSON.parse(await runCommand(['predict', `examples/${example}`, '--batch', '32', '--format', 'json', ...flags])))
  const savedPrediction = async () => JSON.parse((await saved(page, 'Save throughput as JSON')).bytes.toString())

  it('says what was found, and warns', async () => {
    const found = await page.locator('.found').textContent()
    expect(found).toContain('1,331')
    expect(found).toContain('428 transfers')
    expect(found).toContain('measured: resnet50-1000, 5 cluster sizes')
    expect(await page.getByTestId('warnings').textContent()).toContain('step-overhead-assumed')
  })

  it('has the command’s numbers, to the last digit', async () => {
    const document = await predicted('--workers', '1-16')
    const points = document.points.map(({ workers, stepsPerSecond }) => [workers, stepsPerSecond.mean])
    expect([...(await tableOf(page))]).toEqual(points)
    expect(await savedPrediction()).toEqual(document)
  })

  it('saves the same CSV as the command', async () => {
    const { name, bytes } = await saved(page, 'Save throughput as CSV')
    expect(name).toBe('20-files-throughput.csv')
    expect(bytes.toString()).toBe(predictionCsv(await savedPrediction()))
  })

  it('draws the curve, what was measured, and the bottleneck', async () => {
    const chart = page.getByTestId('throughput-chart')
    expect(await chart.getAttribute('aria-label')).toMatch(/with 1, .* with 16/)
    expect(await chart.locator('.mark').count()).toBe(16)
    expect(await chart.locator('.measured').count()).toBe(5)
    expect(await page.getByTestId('bottleneck').textContent()).toMatch(/server 0 .*link/)
    const error = page.getByTestId('throughput-table').locator('tr[data-workers="4"] td').nth(2)
    expect(Math.abs(Number((await error.textContent())!.replace('−', '-')))).toBeLessThan(10)
  })

  it('shows one cluster: where its step goes and its staleness', async () => {
    await page.getByTestId('throughput-table').getByRole('button', { name: '4', exact: true }).click()
    const details = page.locator('section[aria-labelledby=details-title]')
    const { bytes } = await saved(page, 'Save staleness with 4 workers as JSON')
    const shares = JSON.parse(bytes.toString()) as Array<{ share_of_steps: number }>
    expect(shares.reduce((sum, { share_of_steps }) => sum + share_of_steps, 0)).toBeCloseTo(1, 9)
    expect(await details.textContent()).toContain('queue')
  })

  it('draws a simulated window of that cluster, and saves it for Perfetto', async () => {
    const timeline = page.getByTestId('timeline')
    await timeline.locator('canvas').first().waitFor()
    await timeline.getByText('4 workers, a few steps').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      timeline.getByRole('button', { name: /perfetto/i }).click()
    ])
    expect(download.suggestedFilename()).toBe('20-files-timeline.json')
    const file = JSON.parse(await readFile(await download.path(), 'utf8'))
    expect(file.traceEvents.length).toBeGreaterThan(1_000)
  })

  it('saves every chart as a picture that stands alone', async () => {
    for (const name of ['throughput', 'bottleneck', 'step with 4 workers', 'staleness with 4 workers']) {
      const { bytes: svg } = await saved(page, `Save ${name} as SVG`)
      expect(svg.toString()).toMatch(/^<\?xml[^>]+>\s*<svg[^>]+xmlns="http:\/\/www\.w3\.org\/2000\/svg"/)
      const { bytes: png } = await saved(page, `Save ${name} as PNG`)
      expect(png.subarray(1, 4).toString()).toBe('PNG')
      expect(png.readUInt32BE(16)).toBeGreaterThan(400)
    }
  })

  it('follows the settings, and so does the command that it shows', async () => {
    await page.getByTestId('workers-input').fill('1-4')
    await page.getByTestId('bandwidth-input').fill('2Gbps')
    await page.getByLabel('policy', { exact: true }).selectOption('tic')
    await set(page, 'compute speed × as traced', '1.5')
    const shown = await page.getByTestId('command').inputValue()
    expect(shown).toBe('foretrain predict TRACE --workers 1-4 --bandwidth 2Gbps --compute-speed 1.5 --batch 32 --policy tic')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy command' }).click()
    await page.getByText('copied', { exact: true }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown)
    const words = shown.split(' ').slice(3)
    const document = withoutFolders(JSON.parse(await runCommand(['predict', `examples/${example}`, ...words, '--format', 'json'])))
    expect([...(await tableOf(page)).keys()]).toEqual([1, 2, 3, 4])
    expect(await savedPrediction()).toEqual(document)
  })

  it('compares the policies as the command does', async () => {
    await page.getByTestId('workers-input').fill('4')
    await settled(page)
    await page.getByTestId('compare').click()
    const { bytes } = await saved(page, 'Save policies with 4 workers as JSON')
    const document = await runCommand([
      'compare',
      `examples/${example}`,
      '--workers',
      '4',
      '--bandwidth',
      '2Gbps',
      '--compute-speed',
      '1.5',
      '--batch',
      '32',
      '--format',
      'json'
    ])
    expect(JSON.parse(bytes.toString())).toEqual(JSON.parse(document))
  })

  it('did all that without a complaint of the browser', () => {
    expect(opened.complaints).toEqual([])
  })
})
