import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './paths.mjs'

const pinned = '4.1.1'
const environment = join(root, 'node_modules/.cache/foretrain-bench', `simpy-${pinned}`)

/**
 * A Python that has SimPy: python3 itself, or a virtual environment in the cache folder, which is made once.
 *
 * @param {{ python?: string, folder?: string, install?: boolean }} [options] folder of the virtual environment; whether it may be made
 * @returns {{ python: string, version: string } | { missing: string }} or why there is none
 */
export function findSimpy({ python = 'python3', folder = environment, install = true } = {}) {
  const own = versionIn(python)
  if (own !== undefined) return { python, version: own }
  const cached = join(folder, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python')
  const known = existsSync(cached) ? versionIn(cached) : undefined
  if (known !== undefined) return { python: cached, version: known }
  if (!install) return { missing: `${python} does not have it` }
  const failure = makeEnvironment(python, folder, cached)
  const made = failure === undefined ? versionIn(cached) : undefined
  if (made !== undefined) return { python: cached, version: made }
  // Half an environment would be taken for a whole one by its name.
  rmSync(folder, { recursive: true, force: true })
  return { missing: failure ?? 'its virtual environment does not work' }
}

/** @param {string} python */
function versionIn(python) {
  const { status, stdout } = spawnSync(python, ['-c', 'import simpy; print(simpy.__version__)'], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/**
 * @param {string} python
 * @param {string} folder
 * @param {string} cached the environment's own Python
 * @returns {string | undefined} why it failed
 */
function makeEnvironment(python, folder, cached) {
  mkdirSync(dirname(folder), { recursive: true })
  const timeout = 60_000
  const made = spawnSync(python, ['-m', 'venv', folder], { encoding: 'utf8', timeout })
  if (made.error) return `there is no ${python}`
  if (made.status !== 0) return `${python} makes no virtual environment`
  const installed = spawnSync(cached, ['-m', 'pip', 'install', '--quiet', '--retries', '1', `simpy==${pinned}`], { timeout })
  return installed.status === 0 ? undefined : `${python} does not have it and pip could not install it`
}
