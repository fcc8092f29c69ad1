import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = process.env.CHROMIUM ?? places.find(path => existsSync(path))

/** Tests of the page are skipped where there is no Chromium; CHROMIUM names one elsewhere. */
export const hasBrowser = executablePath !== undefined

/** To be closed by the caller. */
export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
}
