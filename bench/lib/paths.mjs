import { createReadStream, existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const benchFolder = dirname(dirname(fileURLToPath(import.meta.url)))
export const root = dirname(benchFolder)
export const command = join(root, 'packages/cli/bin/foretrain.js')

/** The measured cluster that the suites work on where one is enough. */
export const resnet = 'resnet50-1000'

/** @returns {string[]} names of the measured clusters */
export function exampleCases() {
  const examples = join(root, 'examples')
  return readdirSync(examples)
    .filter(name => existsSync(join(examples, name, 'case.json')))
    .sort()
}

/**
 * The traces of a measured cluster, packed as they lie there.
 *
 * @param {string} name
 */
export function traceFiles(name) {
  const folder = join(root, 'examples', name, 'trace')
  return readdirSync(folder)
    .sort()
    .map(file => join(folder, file))
}

/** @param {string} path */
export function traceOnDisk(path) {
  return { name: basename(path), bytes: createReadStream(path, { highWaterMark: 1 << 20 }) }
}

/**
 * A trace whose bytes are at hand.
 *
 * @param {string} name
 * @param {Uint8Array} content
 */
export function traceInMemory(name, content) {
  return {
    name,
    bytes: (async function* () {
      yield content
    })()
  }
}
