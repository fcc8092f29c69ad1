#!/usr/bin/env node
/** Takes docs/images/terminal.png: what a prediction looks like in a terminal. After a build, with Chromium: `node scripts/terminalPicture.mjs`. */
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
// The page's tests have the browser's driver.
const { chromium } = createRequire(join(root, 'packages/web/package.json'))('playwright-core')
const words = ['predict', 'examples/resnet50-1000/trace', '--workers', '1,2,4,8,16', '--batch', '32']
const { status, stdout, stderr } = spawnSync(process.execPath, ['packages/cli/bin/foretrain.js', ...words], {
  cwd: root,
  encoding: 'utf8'
})
if (status !== 0) throw new Error(stderr)

const escaped = text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const html = `<body style="margin:0;background:#14171c"><pre style="display:inline-block;margin:0;padding:24px 28px;color:#e4e7eb;
  font:13px/1.4 'DejaVu Sans Mono',monospace"><span style="color:#6fb1ff">$ foretrain ${escaped(words.join(' '))}</span>\n${escaped(stdout.trimEnd())}</pre>`
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
const page = await browser.newPage({ deviceScaleFactor: 1.5, viewport: { width: 1500, height: 800 } })
await page.setContent(html)
await page.locator('pre').screenshot({ path: join(root, 'docs/images/terminal.png') })
await browser.close()
