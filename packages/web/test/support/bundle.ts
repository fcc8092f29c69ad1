import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

const styles = join(import.meta.dirname, '../../src/style')

/**
 * Opens a page with the style of ours, and with a program of a test on it.
 *
 * @param program path of a TypeScript file
 * @param content HTML of the page's body
 */
export async function openBundle(
  browser: Browser,
  program: string,
  content: string,
  options: BrowserContextOptions = {}
): Promise<Page> {
  const { outputFiles } = await build({ entryPoints: [program], bundle: true, write: false, format: 'iife', target: 'es2022' })
  const style = readdirSync(styles)
    .sort()
    .map(file => readFileSync(join(styles, file), 'utf8'))
    .join('\n')
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const page = await context.newPage()
  await page.setContent(`<!doctype html><html lang="en"><title>test</title><style>${style}</style>${content}</html>`)
  await page.addScriptTag({ content: outputFiles[0].text })
  return page
}
