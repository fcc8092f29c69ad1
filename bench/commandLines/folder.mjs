import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { command, root } from '../lib/paths.mjs'

const example = join(root, 'examples/alexnet-1000')

/** Files that no command may change: they are not there to be written, or only read. */
const kept = ['profile.json', 'cluster.yaml', 'plan.yaml', 'sizes.csv', 'empty.pb', 'noise.pb', 'cut.pb', 'bomb.yaml']

/**
 * Fills a folder with what command lines name: a small profile, a case, files of settings, and things that are nothing of the kind.
 *
 * @param {string} folder
 */
export function fillFolder(folder) {
  const put = (/** @type {string} */ name, /** @type {string | Uint8Array} */ content) => writeFileSync(join(folder, name), content)
  execFileSync(process.execPath, [command, 'inspect', join(example, 'trace/run_metadata_014.pb.gz'), '--save', 'profile.json'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit']
  })
  put('cluster.yaml', 'workers: [{count: 2, speed: 0.5}]\nbandwidth: 1Gbps\n')
  put('plan.yaml', 'workers: [1, 2]\nbatch: 32\n')
  put('sizes.csv', 'tensor,bytes\nw,4096\n')
  put('placement.json', '{}')
  put('ranks.csv', 'variable,rank\nw,1\n')
  put('empty.pb', '')
  put(
    'noise.pb',
    Uint8Array.from({ length: 5000 }, (_, i) => (i * i * 31 + (i >> 3)) & 255)
  )
  put('cut.pb', readFileSync(join(example, 'trace/run_metadata_014.pb.gz')).subarray(0, 9000))
  const aliases = ['b', 'c', 'd', 'e'].map((name, i) => `${name}: &${name} [${`*${'abcd'[i]},`.repeat(9)}]`)
  put('bomb.yaml', `a: &a [x,x]\n${aliases.join('\n')}\nworkers: *e\n`)
  put('old.csv', 'mine\n')
  mkdirSync(join(folder, 'folder'))
  symlinkSync('loop', join(folder, 'loop'))
  symlinkSync('nowhere', join(folder, 'dangling'))
  mkdirSync(join(folder, 'case'))
  const document = JSON.parse(readFileSync(join(example, 'case.json'), 'utf8'))
  document.measurements = document.measurements.slice(0, 2)
  put('case/case.json', JSON.stringify(document))
  cpSync(join(example, 'trace/run_metadata_014.pb.gz'), join(folder, 'case/trace/run_metadata_014.pb.gz'))
}

/**
 * What a command left behind that it should not have: half-written files, or other content in a file that it was to read.
 *
 * @param {string} folder @param {Map<string, string>} before
 */
export function damage(folder, before) {
  const names = readdirSync(folder)
  const temporary = names.filter(name => name.endsWith('.tmp'))
  const changed = kept.filter(name => !names.includes(name) || content(folder, name) !== before.get(name))
  return [...temporary.map(name => `left ${name}`), ...changed.map(name => `changed ${name}`)]
}

/** @param {string} folder */
export function contents(folder) {
  return new Map(kept.map(name => [name, content(folder, name)]))
}

/** Takes away what a command wrote, so that the next one finds what the first one found. @param {string} folder */
export function tidyUp(folder) {
  for (const name of readdirSync(folder))
    if (/^(new|saved)\.|\.journal$|\.tmp$/.test(name)) rmSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'old.csv'), 'mine\n')
}

/** @param {string} folder @param {string} name */
function content(folder, name) {
  return readFileSync(join(folder, name), 'latin1')
}
