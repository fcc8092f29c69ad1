#!/usr/bin/env node
/**
 * Writes docs/api, the reference of the library packages, from their docstrings; with --check says whether it is that of this code.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const kept = join(root, 'docs/api')
const made = mkdtempSync(join(tmpdir(), 'foretrain-api-'))

function fail(message) {
  console.error(`docs: ${message}`)
  process.exitCode = 1
}

function textOf(folder, name) {
  try {
    return readFileSync(join(folder, name), 'utf8')
  } catch {
    return undefined
  }
}

try {
  const typedoc = join(root, 'node_modules/.bin/typedoc')
  const options = ['--out', made, '--logLevel', 'Warn', '--treatWarningsAsErrors']
  const { status, stdout, stderr } = spawnSync(typedoc, options, { cwd: root, encoding: 'utf8' })
  if (status !== 0) fail(`${stdout}${stderr}`)
  else if (!process.argv.includes('--check')) {
    rmSync(kept, { recursive: true, force: true })
    cpSync(made, kept, { recursive: true })
  } else {
    const namesIn = folder => readdirSync(folder, { recursive: true }).filter(name => name.endsWith('.md'))
    const names = [...new Set([...namesIn(made), ...namesIn(kept)])]
    const stale = names.filter(name => textOf(made, name) !== textOf(kept, name))
    if (stale.length > 0) fail(`docs/api: ${stale.join(', ')} is not that of this code: npm run docs`)
    else console.log(`docs: ${names.length} files of docs/api are those of this code`)
  }
} finally {
  rmSync(made, { recursive: true, force: true })
}
