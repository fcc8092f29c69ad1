import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

const root = join(import.meta.dirname, '../../../..')

export const examples = join(root, 'examples')
const command = join(root, 'packages/cli/dist/foretrain.js')
export const oneFilePage = pathToFileURL(join(import.meta.dirname, '../../dist/foretrain.html')).href

/** Few cluster sizes, for tests that are not about them. */
export const smallCurve = '#workers=1-4'

/** Long enough for a loaded machine; what takes longer is broken. */
const patienceMs = 45_000
/** Of a test with several such waits. */
export const testMs = 180_000

/** Traces of an example, by their paths. */
export function tracesOf(example: string): string[] {
  const folder = join(examples, example, 'trace')
  return readdirSync(folder).map(name => join(folder, name))
}

export interface OpenedPage {
  page: Page
  /** Errors and refused requests so far, and requests after the page had loaded. */
  complaints: string[]
  close(): Promise<void>
}

/** Opens a page of its own; what goes wrong in it is written down. */
export async function openPage(browser: Browser, address = oneFilePage, options: BrowserContextOptions = {}): Promise<OpenedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true, ...options })
  context.setDefaultTimeout(patienceMs)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', error => complaints.push(`error: ${error.message}`))
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(`console: ${message.text()}`)
  })
  await page.goto(address)
  await page.getByTestId('drop-input').waitFor({ state: 'attached' })
  return { page, complaints, close: () => context.close() }
}

/** Drops files through the field for them. */
export async function drop(page: Page, files: string[] | Array<{ name: string; mimeType: string; buffer: Buffer }>): Promise<void> {
  await page.getByTestId('drop-input').setInputFiles(files)
}

/** Waits until the curve of the settings as they are now is simulated in full. */
export async function settled(page: Page): Promise<void> {
  await page.locator('[data-testid=state][data-level=done]').waitFor()
  await page.locator('section[aria-labelledby=throughput-title][aria-busy=false]').waitFor()
}

/** Changes a field and waits until the curve has followed. */
export async function set(page: Page, label: string, value: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(value)
  await settled(page)
}

/** The line that says what is wrong. */
export async function problemOf(page: Page): Promise<string> {
  return (await page.getByTestId('error').textContent()) ?? ''
}

/** Presses a button that saves a file, and reads it. */
export async function saved(page: Page, name: string): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name, exact: true }).click()])
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}

/** Throughput of each size as the table has it, all digits. */
export async function tableOf(page: Page): Promise<Map<number, number>> {
  const rows = page.getByTestId('throughput-table').locator('tbody tr')
  const pairs = await rows.evaluateAll(elements =>
    elements.map(
      row => [Number((row as HTMLElement).dataset.workers), Number(row.querySelector('data')?.value)] as [number, number]
    )
  )
  return new Map(pairs)
}

/** What the command prints on standard output. */
export async function runCommand(words: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [command, ...words], { cwd: root })
  let output = ''
  let errors = ''
  child.stdout.on('data', chunk => (output += chunk))
  child.stderr.on('data', chunk => (errors += chunk))
  const code = await new Promise(resolve => child.once('close', resolve))
  if (code !== 0) throw new Error(`the command ended with ${code}: ${errors}`)
  return output
}

export interface Served {
  address: string
  close(): Promise<void>
}

/** `foretrain serve` on a free port. */
export async function serve(): Promise<Served> {
  const child = spawn(process.execPath, [command, 'serve', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  let output = ''
  const address = await new Promise<string>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => reject(new Error('the command ended')))
    child.stdout.on('data', chunk => {
      output += chunk
      if (output.includes('\n')) resolve(output.split('\n')[0])
    })
  })
  return {
    address,
    async close() {
      child.kill()
      await ended
    }
  }
}
