import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, launch } from '../support/browser.ts'
import { drop, oneFilePage, openPage, type Served, serve, settled, smallCurve, testMs, tracesOf } from '../support/page.ts'

const dist = join(import.meta.dirname, '../../dist')

describe.runIf(hasBrowser)('the page keeps to itself', { timeout: testMs }, () => {
  let browser: Browser
  let served: Served

  beforeAll(async () => {
    browser = await launch()
    served = await serve()
  }, testMs)
  afterAll(async () => {
    await browser?.close()
    await served?.close()
  })

  it.each(['one file on a disk', 'served'])('asks for nothing once it is loaded: %s', async how => {
    const { page, complaints, close } = await openPage(browser, (how === 'served' ? served.address : oneFilePage) + smallCurve)
    await page.waitForLoadState('networkidle')
    const requests: string[] = []
    page.on('request', request => requests.push(request.url()))
    await page.context().setOffline(true)
    await drop(page, tracesOf('mobilenetv2-200'))
    await settled(page)
    await page.getByTestId('example').click()
    await page.locator('.found', { hasText: 'resnet50-1000' }).waitFor()
    await settled(page)
    // What a page has made itself is on no network.
    expect(requests.filter(url => !/^(blob|data):/.test(url))).toEqual([])
    expect(complaints).toEqual([])
    await close()
  })

  it.each(['one file on a disk', 'served'])('runs its own scripts alone, and connects to nothing: %s', async how => {
    const { page, close } = await openPage(browser, (how === 'served' ? served.address : oneFilePage) + smallCurve)
    const outcome = await page.evaluate(async () => {
      const refused: string[] = []
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => refused.push(effectiveDirective))
      const script = document.createElement('script')
      script.textContent = 'globalThis.hasRun = true'
      document.body.append(script)
      const style = document.createElement('style')
      style.textContent = 'body { display: none }'
      document.body.append(style)
      const frame = document.createElement('iframe')
      frame.srcdoc = '<p>'
      document.body.append(frame)
      const connected = await fetch('http://127.0.0.1:9/').then(
        () => true,
        () => false
      )
      await new Promise(resolve => setTimeout(resolve, 200))
      return { refused, connected, hasRun: 'hasRun' in globalThis, display: getComputedStyle(document.body).display }
    })
    expect(outcome.hasRun).toBe(false)
    expect(outcome.connected).toBe(false)
    expect(outcome.display).not.toBe('none')
    expect(outcome.refused).toEqual(expect.arrayContaining(['script-src-elem', 'style-src-elem', 'connect-src']))
    await close()
  })

  it('is under 250 kB on the way, without the example', () => {
    const assets = readdirSync(join(dist, 'assets')).filter(name => !name.includes('example'))
    const bytes = ['index.html', ...assets.map(name => join('assets', name))].map(
      path => gzipSync(readFileSync(join(dist, path))).length
    )
    expect(assets.length).toBe(3)
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000)
  })
})
