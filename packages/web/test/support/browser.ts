import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome']

/** CHROMIUM names one that is not on the PATH. */
function find(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = [process.env.CHROMIUM, ...names.flatMap(name => folders.map(folder => join(folder, name)))]
  return candidates.find(path => path !== undefined && isExecutable(path))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Debian's package, where we may install it. Other files of tests may be at it too. */
function install(): void {
  if (process.getuid?.() !== 0) return
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const get = (...words: string[]) =>
    spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=600', '-yqq', ...words], { env: environment, stdio: 'ignore' })
  get('update')
  get('install', '--no-install-recommends', 'chromium', 'fonts-dejavu-core')
}

function findOrInstall(): string | undefined {
  const there = find()
  if (there !== undefined) return there
  install()
  const now = find()
  if (now === undefined)
    console.warn('foretrain: no Chromium on the PATH, so the page is not tested; install it, or set CHROMIUM to its path')
  return now
}

const executablePath = findOrInstall()

/** Tests of the page are skipped where there is no Chromium; never in continuous integration. */
export const hasBrowser = executablePath !== undefined || process.env.CI === 'true'

/** To be closed by the caller. */
export function launch(): Promise<Browser> {
  if (executablePath === undefined) throw new Error('there is no Chromium on the PATH: install it, or set CHROMIUM to its path')
  // Chromium has no sandbox for root.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
}
