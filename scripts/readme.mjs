#!/usr/bin/env node
/**
 * Renews what README.md takes from elsewhere, between its markers: what `npm run demo` prints, the accuracy of docs/accuracy.md and the speed of
 * bench/results; and what commands print in docs/*.md, below `<!-- prints: … -->`. After a build: `node scripts/readme.mjs`.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const read = path => readFileSync(join(root, path), 'utf8')

function printedBy(words) {
  const command = ['packages/cli/bin/foretrain.js', ...words]
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return `\`\`\`text\n${stdout.trimEnd()}\n\`\`\``
}

const demo = () => printedBy(['predict', 'examples/resnet50-1000/trace', '--workers', '1-16'])

/** One row a cluster: of the tables of docs/accuracy.md those sizes that were predicted, not traced. */
function accuracy() {
  const page = read('docs/accuracy.md')
  const [, points] = found(page, /^(\d+ points with more than one worker in \d+ clusters)\./m)
  const totals = ['mean absolute error', 'measured intervals that meet the band', 'mean half-width of the band'].map(
    name => found(page, new RegExp(`^\\| ${name} \\| (.*?) \\|`, 'm'))[1]
  )
  const simpler = [...page.matchAll(/^\| simpler model: (.*?) \| (.*?) \|/gm)].map(([, name, error]) => `${name} ${error}`)
  const clusters = [
    ...page.matchAll(
      /^## ([a-z0-9]+-\S+)\n\n(.*?)\n\n.*?^\| workers .*?\n\|.*?\n(.*?)\n\nWith more than one worker: (.*?) on the mean/gms
    )
  ]
  const rows = clusters.map(([, , what, table, error]) => {
    const sizes = table.split('\n').map(row => row.split('|').map(cell => cell.trim()))
    const predicted = sizes.filter(([, workers]) => workers !== '1')
    const list = predicted.map(([, workers, measured, , mean]) => `${workers}: ${measured} → ${mean}`)
    return `| ${what.replace(/\.$/, '')} | ${list.join(' · ')} | ${error} |`
  })
  return [
    `Real TensorFlow clusters, predicted from the traces of one worker. ${points}:`,
    '',
    '| cluster | workers: steps/s measured → predicted | mean error |',
    '| --- | --- | ---: |',
    ...rows,
    '',
    `Mean absolute error **${totals[0]}**; simpler models from the same trace: ${simpler.join(', ')}. ${totals[1]} of the measured intervals meet the predicted band of ±${totals[2]}.`
  ].join('\n')
}

function speed() {
  const rowOf = (suite, name, measure) => {
    const row = JSON.parse(read(`bench/results/${suite}.json`)).rows.find(one => one.name === name && one.measure === measure)
    if (row === undefined) throw new Error(`bench/results/${suite}.json has no ${name}, ${measure}`)
    return row.median
  }
  const { machine } = JSON.parse(read('bench/results/simulate.json'))
  const rounded = value => Number(value.toPrecision(2)).toLocaleString('en')
  const size = '8 workers'
  const large = '10,000 workers'
  const predict = '`foretrain predict examples/resnet50-1000 --workers 1-16 --precision 1%`'
  const rows = [
    ['`predict --workers 1-16` of the demo, from the shell', `${rounded(rowOf('predict', predict))} s`],
    [
      'simulated worker-steps of ResNet-50 a second on one core, 8 workers',
      rounded(rowOf('simulate', 'WebAssembly, default transport', size))
    ],
    ['the same, 10,000 workers', rounded(rowOf('simulate', 'WebAssembly, default transport', large))],
    [
      'speed over that of a C++ program that simulates less (`g++ -O3 -march=native`), 8 workers',
      `${rounded(rowOf('simulate', 'WebAssembly : C++', size))} ×`
    ],
    [
      'the same, both on the whole graph: contraction is what makes the difference',
      `${rounded(rowOf('simulate', 'WebAssembly, whole graph : C++', size))} ×`
    ],
    ['speed over that of a SimPy model of the same job', `${rounded(rowOf('simulate', 'WebAssembly : SimPy, processes', size))} ×`],
    [
      'the same, written with callbacks in place of processes',
      `${rounded(rowOf('simulate', 'WebAssembly : SimPy, callbacks', size))} ×`
    ]
  ]
  return [
    `On ${machine.cpu}, ${machine.cores} cores, Node ${machine.node.replace(/^v/, '')}, ResNet-50:`,
    '',
    '| | |',
    '| --- | ---: |',
    ...rows.map(([what, value]) => `| ${what} | ${value} |`)
  ].join('\n')
}

/** Outputs on the other pages, each below the command that prints it. */
function renewPages() {
  for (const name of readdirSync(join(root, 'docs')).filter(file => file.endsWith('.md'))) {
    const page = read(`docs/${name}`)
    const renewed = page.replace(
      /(<!-- prints: (.*?) -->\n\n)```text\n.*?\n```/gs,
      (_, marker, command) => marker + printedBy(command.split(' '))
    )
    if (renewed !== page) writeFileSync(join(root, 'docs', name), renewed)
  }
}

function found(text, pattern) {
  const match = pattern.exec(text)
  if (match === null) throw new Error(`nothing matches ${pattern}`)
  return match
}

renewPages()
let text = read('README.md')
for (const [name, content] of Object.entries({ demo, accuracy, speed })) {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < 0) throw new Error(`README.md has no ${begin} with its end`)
  text = `${text.slice(0, from + begin.length)}\n\n${content()}\n\n${text.slice(to)}`
}
writeFileSync(join(root, 'README.md'), text)
const formatted = spawnSync(join(root, 'node_modules/.bin/biome'), ['format', '--write', 'README.md'], {
  cwd: root,
  encoding: 'utf8'
})
if (formatted.status !== 0) throw new Error(formatted.stderr)
