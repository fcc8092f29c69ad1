#!/usr/bin/env node
/** Puts what `npm run demo` prints into README.md, between its markers: `node scripts/insert-demo.mjs` after a build. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [begin, end] = ['<!-- demo -->', '<!-- /demo -->']
const demo = ['packages/cli/bin/foretrain.js', 'predict', 'examples/resnet50-1000', '--workers', '1-16']
const { status, stdout, stderr } = spawnSync(process.execPath, demo, { cwd: root, encoding: 'utf8' })
if (status !== 0) throw new Error(stderr)
const path = join(root, 'README.md')
const text = readFileSync(path, 'utf8')
const [from, to] = [text.indexOf(begin), text.indexOf(end)]
writeFileSync(path, `${text.slice(0, from + begin.length)}\n\n\`\`\`text\n${stdout.trimEnd()}\n\`\`\`\n\n${text.slice(to)}`)
