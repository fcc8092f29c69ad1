#!/usr/bin/env node
/**
 * The entry of every root script: `node scripts/run.mjs demo|test|lint|build|docs|packages|bench [arguments]`.
 * Brings a fresh clone to life with Node and npm alone: fetches the pinned pnpm through npm, installs the locked dependencies,
 * builds what changed, then does the job. When nothing changed since the last run it goes straight to the job.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [job, ...rest] = process.argv.slice(2)
const binaries = join(root, 'node_modules', '.bin')
const environment = {
  ...process.env,
  PATH: `${binaries}${delimiter}${process.env.PATH ?? ''}`,
  TURBO_TELEMETRY_DISABLED: '1',
  TURBO_NO_UPDATE_NOTIFIER: '1'
}

function run(command, commandArguments) {
  const shell = process.platform === 'win32'
  const result = spawnSync(command, commandArguments, { cwd: root, env: environment, stdio: 'inherit', shell })
  if (result.error) fail(`${command}: ${result.error.message}`)
  return result.status ?? 130
}

function must(command, commandArguments) {
  const status = run(command, commandArguments)
  if (status !== 0) process.exit(status)
}

/** Shows what the command printed only if it failed. */
function mustQuietly(command, commandArguments) {
  const shell = process.platform === 'win32'
  const options = { cwd: root, env: environment, stdio: ['ignore', 'pipe', 'pipe'], shell, encoding: 'utf8', maxBuffer: 2 ** 28 }
  const result = spawnSync(command, commandArguments, options)
  if (result.error) fail(`${command}: ${result.error.message}`)
  if (result.status === 0) return
  process.stderr.write(`${result.stdout}${result.stderr}`)
  process.exit(result.status ?? 130)
}

function fail(message) {
  console.error(`foretrain: ${message}`)
  process.exit(1)
}

/** What decides whether node_modules is current: the lock file and every manifest. */
function dependencyHash() {
  const hash = createHash('sha256').update(process.version)
  const manifests = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json', 'bench/package.json']
  for (const name of readdirSync(join(root, 'packages'))) manifests.push(`packages/${name}/package.json`)
  for (const path of manifests.sort()) {
    if (existsSync(join(root, path))) hash.update(path).update(readFileSync(join(root, path)))
  }
  return hash.digest('hex')
}

function install() {
  const stamp = join(root, 'node_modules', '.foretrain-installed')
  const wanted = dependencyHash()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  console.error('foretrain: installing the locked dependencies')
  mustQuietly('npx', ['--yes', packageManager, 'install', '--frozen-lockfile', '--reporter=append-only'])
  writeFileSync(stamp, wanted)
}

function build(task = 'build') {
  if (!existsSync(join(root, 'packages/cli/dist/foretrain.js'))) console.error('foretrain: building')
  mustQuietly('turbo', ['run', task, '--output-logs=errors-only', '--ui=stream'])
}

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) fail(`Node ${process.versions.node} is too old: 20.19 or newer is needed`)

const jobs = {
  build: () => 0,
  demo: () =>
    run(process.execPath, [
      'packages/cli/dist/foretrain.js',
      'predict',
      'examples/resnet50-1000/trace',
      '--workers',
      '1-16',
      ...rest
    ]),
  test: () => run('vitest', ['run', ...rest]),
  lint: () => {
    must('biome', ['ci', '--error-on-warnings', '.'])
    must(process.execPath, ['scripts/check-structure.mjs'])
    build('typecheck')
    return 0
  },
  docs: () => run(process.execPath, ['scripts/api.mjs', ...rest]),
  packages: () => run(process.execPath, ['scripts/packages/check.mjs', ...rest]),
  bench: () => run(process.execPath, ['bench/run.mjs', ...rest])
}
if (!Object.hasOwn(jobs, job ?? '')) fail(`unknown job ${job ?? '(none)'}: use one of ${Object.keys(jobs).join(', ')}`)
install()
build()
process.exit(jobs[job]())
