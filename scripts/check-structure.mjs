#!/usr/bin/env node
/**
 * Holds the code against the architecture: which package may import which, no way around a package's entry, no cycles between files,
 * no undeclared dependency, no file that has grown too long.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
process.chdir(root)

/** A imports B, and nothing else. Test code may use what its package may, and the package itself. */
const allowed = {
  'trace-parser': [],
  'core-wasm': [],
  predictor: ['trace-parser', 'core-wasm'],
  sweep: ['predictor'],
  cli: ['sweep', 'predictor', 'trace-parser', 'web'],
  web: ['sweep', 'predictor', 'trace-parser']
}
/** Further entries of packages, beside the one that has the package's name. */
const entries = ['@foretrain/predictor/text', '@foretrain/sweep/local', '@foretrain/sweep/redis']
const LONGEST_FILE = 400

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter(path => /\.(tsx?|mjs|js)$/.test(path) && !path.includes('/fixtures/') && existsSync(path))

const problems = []
const importsOf = new Map()

function resolveRelative(from, specifier) {
  const path = normalize(join(dirname(from), specifier))
  return [path, `${path}.ts`, `${path}/index.ts`].find(candidate => existsSync(candidate) && /\.\w+$/.test(candidate)) ?? path
}

function checkPackageImport(path, name, specifier) {
  const [scope, target, ...deep] = specifier.split('/')
  if (scope !== '@foretrain') return
  const isTest = path.includes('/test/')
  if (isTest && target === name) return
  if (!allowed[name].includes(target)) problems.push(`${path}: ${name} must not import ${specifier}`)
  if (deep.length > 0 && !entries.includes(specifier))
    problems.push(`${path}: import ${scope}/${target}, not its inside (${specifier})`)
}

for (const path of files) {
  const text = readFileSync(path, 'utf8')
  const lines = text.split('\n').length - 1
  if (lines > LONGEST_FILE) problems.push(`${path}: ${lines} lines; ${LONGEST_FILE} are the limit`)
  const name = /^packages\/([^/]+)\//.exec(path)?.[1]
  const imports = []
  for (const match of text.matchAll(
    /^\s*(?:import|export)\b(\s+type\b)?[^'"`;]*?from\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/gm
  )) {
    const specifier = match[2] ?? match[3]
    if (specifier.startsWith('.')) {
      const target = resolveRelative(path, specifier)
      if (
        name !== undefined &&
        !target.startsWith(`packages/${name}/`) &&
        !/(^|\/)(rollup|vitest)\.config|scripts\//.test(`${path} ${target}`)
      ) {
        problems.push(`${path}: reaches out of its package with ${specifier}`)
      }
      // A type leaves no trace at run time, so it cannot close a cycle.
      if (match[1] === undefined && match[3] === undefined) imports.push(target)
      continue
    }
    if (name === undefined) continue
    if (!(name in allowed)) problems.push(`${path}: package ${name} has no place in the architecture`)
    else checkPackageImport(path, name, specifier)
    if (!path.includes('/src/') || /^(node|virtual):/.test(specifier)) continue
    const dependency = specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/')
    const manifest = JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8'))
    if (!(dependency in (manifest.dependencies ?? {})))
      problems.push(`${path}: ${dependency} is not among the dependencies of ${name}`)
  }
  importsOf.set(path, imports)
}

const done = new Set()
function visit(path, trail) {
  const at = trail.indexOf(path)
  if (at >= 0) {
    problems.push(`import cycle: ${[...trail.slice(at), path].join(' → ')}`)
    return
  }
  if (done.has(path)) return
  for (const target of importsOf.get(path) ?? []) visit(target, [...trail, path])
  done.add(path)
}
for (const path of importsOf.keys()) visit(path, [])

for (const problem of problems) console.error(problem)
console.log(`structure: ${files.length} files, ${problems.length} problems`)
process.exit(problems.length > 0 ? 1 : 0)
