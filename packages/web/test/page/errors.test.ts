import { mkdtempSync, openSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, launch } from '../support/browser.ts'
import {
  drop,
  examples,
  oneFilePage,
  openPage,
  problemOf,
  settled,
  smallCurve,
  tableOf,
  testMs,
  tracesOf
} from '../support/page.ts'

const MEBIBYTE = 2 ** 20
const [trace] = tracesOf('mobilenetv2-200')

function file(name: string, content: string | Buffer) {
  return { name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) }
}

describe.runIf(hasBrowser)('what cannot be read', { timeout: testMs }, () => {
  let browser: Browser
  let page: Page
  let close: () => Promise<void>
  const folder = mkdtempSync(join(tmpdir(), 'foretrain-page-'))

  beforeAll(async () => {
    browser = await launch()
    const opened = await openPage(browser, oneFilePage + smallCurve)
    page = opened.page
    close = opened.close
  }, testMs)
  afterAll(async () => {
    await close?.()
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it.each([
    ['an empty file', file('a.pb', ''), /a\.pb.*empty/],
    ['text', file('notes.txt', 'not a trace at all, only words\n'), /notes\.txt: /],
    ['half a gzip file', file('half.pb.gz', gzipSync(Buffer.alloc(5000, 'x')).subarray(0, 20)), /half\.pb\.gz: /],
    [
      'a gzip file of two members',
      file('two.pb.gz', Buffer.concat([readFileSync(trace), gzipSync('more')])),
      /two\.pb\.gz: gzip file with more behind its end .* several members, browsers do not read them; write it as one/
    ],
    ['a profile that is none', file('profile.json', '{"schema":"foretrain/profile@1"}'), /profile\.json: /],
    ['a case without traces', join(examples, 'mobilenetv2-200/case.json'), /mobilenetv2-200: .*drop the traces too/],
    ['a broken case', file('case.json', '{"schema":"foretrain/case@1","name":7}'), /case\.json: /]
  ])('is named in one line: %s', async (_, what, wanted) => {
    await drop(page, [what] as Parameters<typeof drop>[1])
    await expect.poll(() => problemOf(page)).toMatch(wanted)
    const line = await problemOf(page)
    expect(line).not.toMatch(/\n|bug:/)
    expect(await page.getByTestId('throughput-chart').count()).toBe(0)
  })

  it('refuses a file of 600 MiB before it reads it', async () => {
    const path = join(folder, 'huge.pb')
    openSync(path, 'w')
    truncateSync(path, 600 * MEBIBYTE)
    const before = Date.now()
    await drop(page, [path])
    await expect.poll(() => problemOf(page)).toMatch(/huge\.pb: 600 MiB is more than a page can read \(512 MiB\): use the command/)
    expect(Date.now() - before).toBeLessThan(10_000)
  })

  it('stops unpacking a file that grows too large', async () => {
    const path = join(folder, 'bomb.pb.gz')
    writeFileSync(path, gzipSync(Buffer.alloc(300 * MEBIBYTE)))
    await drop(page, [path])
    await expect
      .poll(() => problemOf(page), { timeout: 40_000 })
      .toMatch(/bomb\.pb\.gz: .* unpacks to more than the limit of 268435456 bytes/)
  })

  it('shows names as they are, never as markup', async () => {
    const name = '<img src=x onerror=alert(1)>.pb'
    await drop(page, [file(name, 'nothing')])
    await expect.poll(() => problemOf(page)).toContain('<img')
    expect(await page.locator('img').count()).toBe(0)
  })

  it('reads what is right after all that', async () => {
    await drop(page, [trace])
    await settled(page)
    expect(await page.getByTestId('error').count()).toBe(0)
    expect((await tableOf(page)).size).toBe(4)
  })

  it('keeps the curve when a field cannot be used, and says which', async () => {
    const before = await tableOf(page)
    const field = page.getByTestId('bandwidth-input')
    await field.fill('fast')
    await expect.poll(() => problemOf(page)).toMatch(/^--bandwidth "fast": /)
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    expect(await tableOf(page)).toEqual(before)
    await field.fill('')
    await settled(page)
    expect(await page.getByTestId('error').count()).toBe(0)
    expect(await tableOf(page)).toEqual(before)
  })

  it('refuses what the command refuses, in its words', async () => {
    await page.getByTestId('workers-input').fill('0')
    await expect.poll(() => problemOf(page)).toBe('--workers "0": a cluster has at least 1 worker')
    await page.getByTestId('workers-input').fill('2')
    await page.getByLabel('mode', { exact: true }).fill('sync:backup=2')
    await expect.poll(() => problemOf(page)).toMatch(/^--mode /)
    await page.getByRole('button', { name: 'Back to the defaults' }).click()
    await settled(page)
  })
})
