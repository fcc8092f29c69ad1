import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './paths.mjs'

/**
 * A Python that has a package: the one that is named, or a virtual environment in the cache folder, which is made once.
 *
 * @param {{ package: string, module: string, pinned: string }} wanted its name for pip, and for import
 * @param {{ python?: string, folder?: string, install?: boolean, timeoutMs?: number }} [options] folder of the virtual environment;
 * whether it may be made, and how long each half of that may take
 * @returns {{ python: string, version: string } | { missing: string }} or why there is none
 */
export function findPythonPackage(wanted, { python = 'python3', folder, install = true, timeoutMs = 60_000 } = {}) {
  const environment = folder ?? join(root, 'node_modules/.cache/foretrain-bench', `${wanted.package}-${wanted.pinned}`)
  const own = versionIn(python, wanted.module)
  if (own !== undefined) return { python, version: own }
  const cached = join(environment, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python')
  const known = existsSync(cached) ? versionIn(cached, wanted.module) : undefined
  if (known !== undefined) return { python: cached, version: known }
  if (!install) return { missing: `${python} does not have it` }
  const failure = makeEnvironment(python, environment, cached, `${wanted.package}==${wanted.pinned}`, timeoutMs)
  const made = failure === undefined ? versionIn(cached, wanted.module) : undefined
  if (made !== undefined) return { python: cached, version: made }
  // Half an environment would be taken for a whole one by its name.
  rmSync(environment, { recursive: true, force: true })
  return { missing: failure ?? 'its virtual environment does not work' }
}

/**
 * @param {string} python
 * @param {string} module
 */
function versionIn(python, module) {
  const { status, stdout } = spawnSync(python, ['-c', `import ${module}; print(${module}.__version__)`], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/**
 * @param {string} python
 * @param {string} folder
 * @param {string} cached the environment's own Python
 * @param {string} requirement
 * @param {number} timeout ms
 * @returns {string | undefined} why it failed
 */
function makeEnvironment(python, folder, cached, requirement, timeout) {
  mkdirSync(dirname(folder), { recursive: true })
  const made = spawnSync(python, ['-m', 'venv', folder], { encoding: 'utf8', timeout })
  if (made.error) return `there is no ${python}`
  if (made.status !== 0) return `${python} makes no virtual environment`
  const installed = spawnSync(cached, ['-m', 'pip', 'install', '--quiet', '--retries', '1', requirement], { timeout })
  return installed.status === 0 ? undefined : `${python} does not have it and pip could not install it`
}
