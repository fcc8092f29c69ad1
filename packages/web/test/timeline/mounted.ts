import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TimelineColumns } from '@foretrain/predictor'
import { build } from 'esbuild'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

const styles = join(import.meta.dirname, '../../src/style')

/** Opens a page that holds nothing but a timeline. */
export async function openTimeline(browser: Browser, columns: TimelineColumns, options: BrowserContextOptions = {}): Promise<Page> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'harness.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022'
  })
  const style = readdirSync(styles)
    .sort()
    .map(file => readFileSync(join(styles, file), 'utf8'))
    .join('\n')
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const page = await context.newPage()
  await page.setContent(
    `<!doctype html><html lang="en"><title>timeline</title><style>${style}</style><main id="page"><section class="card"><h2>Timeline</h2><div id="host"></div></section></main></html>`
  )
  await page.addScriptTag({ content: outputFiles[0].text })
  await page.evaluate(given => window.show(given), columns)
  await page.waitForFunction(() => window.drawnMs.length > 0)
  return page
}
