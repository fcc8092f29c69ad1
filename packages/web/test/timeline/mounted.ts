import { join } from 'node:path'
import type { TimelineColumns } from '@foretrain/predictor'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { openBundle } from '../support/bundle.ts'

const content = '<main id="page"><section class="card"><h2>Timeline</h2><div id="host"></div></section></main>'

/** Opens a page that holds nothing but a timeline. */
export async function openTimeline(browser: Browser, columns: TimelineColumns, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await openBundle(browser, join(import.meta.dirname, 'harness.ts'), content, options)
  await page.evaluate(given => window.show(given), columns)
  await page.waitForFunction(() => window.drawnMs.length > 0)
  return page
}
