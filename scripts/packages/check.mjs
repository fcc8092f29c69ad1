#!/usr/bin/env node
/**
 * Holds the packages against what a stranger gets: packs them, checks the archives with publint and are-the-types-wrong, installs them into
 * an empty project and uses them there: the command, and the libraries from JavaScript and from strict TypeScript.
 *
 *   npm run packages                     with this Node
 *   npm run packages -- --node 22,24     and with these, fetched through npm
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const here = join(root, 'scripts/packages')
const binaries = join(root, 'node_modules/.bin')
const at = process.argv.indexOf('--node')
const otherNodes = at < 0 ? [] : (process.argv[at + 1] ?? '').split(',').filter(Boolean)
const work = mkdtempSync(join(tmpdir(), 'foretrain-packages-'))

/** Those that export nothing to import have no types to be wrong. */
const packages = readdirSync(join(root, 'packages'))
  .map(name => ({ name, folder: join(root, 'packages', name) }))
  .map(one => ({ ...one, manifest: JSON.parse(readFileSync(join(one.folder, 'package.json'), 'utf8')) }))
const problems = []

function run(command, commandArguments, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, commandArguments, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (error) return { status: 1, output: error.message }
  return { status, output: `${stdout}${stderr}`, stdout }
}

function must(what, command, commandArguments, cwd = root) {
  const { status, output, stdout } = run(command, commandArguments, cwd)
  if (status === 0) console.log(`packages: ${what}: fine`)
  else problems.push(`${what}: ${output.trim()}`)
  return stdout ?? ''
}

try {
  for (const { name, folder, manifest } of packages) {
    must(`${name}: pack`, join(binaries, 'pnpm'), ['pack', '--pack-destination', work], folder)
    const { messages } = await publint({ pkgDir: folder, strict: true, pack: 'pnpm' })
    for (const message of messages) problems.push(`${name}: publint: ${formatMessage(message, manifest)}`)
  }
  const archives = readdirSync(work).filter(name => name.endsWith('.tgz'))
  for (const archive of archives) {
    const { manifest } = packages.find(one => archive.includes(one.name)) ?? {}
    const hasTypes = JSON.stringify(manifest?.exports ?? {}).includes('.d.ts')
    // They are ES modules alone, on purpose.
    if (hasTypes)
      must(`${archive}: types`, join(binaries, 'attw'), [join(work, archive), '--profile', 'esm-only', '--format', 'ascii'])
  }

  const project = join(work, 'project')
  mkdirSync(join(project, 'trace'), { recursive: true })
  const traces = join(root, 'examples/alexnet-1000/trace')
  const [trace] = readdirSync(traces)
  cpSync(join(traces, trace), join(project, 'trace', trace))
  const source = readFileSync(join(here, 'library.ts'), 'utf8')
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'empty', version: '1.0.0', type: 'module' }))
  writeFileSync(join(project, 'library.ts'), source)
  writeFileSync(join(project, 'library.js'), transformSync(source, { loader: 'ts', target: 'node20' }).code)
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  must('install', 'npm', ['install', ...quiet, ...archives.map(name => join(work, name))], project)
  // The compiler and Node's types are those of this repository, so that nothing but the archives decides.
  cpSync(join(root, 'node_modules/@types/node'), join(project, 'node_modules/@types/node'), { recursive: true, dereference: true })
  const compiler = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--types', 'node', '--skipLibCheck']
  must('library from TypeScript', join(binaries, 'tsc'), [...compiler, 'library.ts'], project)
  for (const version of ['', ...otherNodes]) {
    const node = version === '' ? [process.execPath] : ['npx', '--yes', `node@${version}`]
    const label = version === '' ? process.version : `v${version}`
    const [program, ...before] = node
    const command = [...before, 'node_modules/@foretrain/cli/bin/foretrain.js', 'predict', 'trace', '--workers', '1,2']
    const effort = ['--replications', '2', '--steps', '4', '--format', 'json']
    const fromCommand = must(`command, Node ${label}`, program, [...command, ...effort], project)
    const fromLibrary = must(
      `library from JavaScript, Node ${label}`,
      program,
      [...before, 'library.js', `trace/${trace}`],
      project
    )
    const means =
      problems.length > 0
        ? ''
        : JSON.parse(fromCommand)
            .points.map(point => point.stepsPerSecond.mean)
            .join(' ')
    if (problems.length === 0 && fromLibrary.trim() !== means)
      problems.push(`the library says ${fromLibrary.trim()}, the command ${means}`)
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
for (const problem of problems) console.error(`packages: ${problem}`)
console.log(`packages: ${packages.length} packages, ${problems.length} problems`)
process.exit(problems.length > 0 ? 1 : 0)
