/** Every command that the documentation or the help shows is run, in a folder that has what they speak of. */
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const command = join(root, 'packages/cli/bin/foretrain.js')
const pages = ['README.md', 'examples/README.md', ...readdirSync(join(root, 'docs')).map(name => `docs/${name}`)].filter(path =>
  path.endsWith('.md')
)
let folder = ''

/** What is tested here is that a command is accepted and gets through, so each simulates as little as its flags allow. */
const littleEffort = ['--replications', '2', '--steps', '2']
const withEffort = ['predict', 'compare', 'plan', 'validate', 'sweep']
const ownEffort = ['--precision', '--replications', '--steps']

/** Two traces tell as well as twenty whether a command runs. */
const fewTraces = 2

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'foretrain-documented-'))
  const cases = readdirSync(join(root, 'examples')).filter(name => existsSync(join(root, 'examples', name, 'case.json')))
  for (const name of cases) {
    cpSync(join(root, 'examples', name, 'case.json'), join(folder, 'examples', name, 'case.json'))
    copyTraces(name, join('examples', name, 'trace'))
  }
  for (const name of ['trace', 'traces', 'run']) copyTraces('resnet50-1000', name)
  writeFileSync(join(folder, 'cluster.yaml'), blockOf('docs/cluster.md', 'yaml'))
  writeFileSync(join(folder, 'ranks.csv'), blockOf('docs/policies.md', 'csv'))
  writeFileSync(join(folder, 'plan.yaml'), blockOf('docs/sweep.md', 'yaml'))
  await run(['inspect', 'trace', '--save', 'profile.json'])
})

function copyTraces(example: string, to: string): void {
  const from = join(root, 'examples', example, 'trace')
  mkdirSync(join(folder, to), { recursive: true })
  for (const trace of readdirSync(from).slice(0, fewTraces)) cpSync(join(from, trace), join(folder, to, trace))
}

afterAll(() => rmSync(folder, { recursive: true }))

/** The first fenced block of a language on a page. */
function blockOf(page: string, language: string): string {
  const block = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(readFileSync(join(root, page), 'utf8'))
  if (block === null) throw new Error(`${page} has no ${language} block`)
  return block[1]
}

/** A Redis or an interrupted sweep, which the tests of packages/sweep have. */
const needsMore = / --(redis|resume)\b/

interface Documented {
  where: string
  words: string[]
}

function ofPage(path: string): Documented[] {
  const lines = readFileSync(join(root, path), 'utf8').split('\n')
  return lines.flatMap((first, index) => {
    const line = first.endsWith('\\') ? first.slice(0, -1) + lines[index + 1] : first
    const found = /^\s*npx --no-install foretrain (.*?)(\s#.*)?$/.exec(line)
    return found && !needsMore.test(line) ? [{ where: `${path}:${index + 1}`, words: wordsOf(found[1]) }] : []
  })
}

/** What GitHub makes of the headings of a page. */
function anchorsOf(path: string): string[] {
  const headings = [...readFileSync(path, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, text]) => text)
  return headings.map(text =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-')
  )
}

function wordsOf(line: string): string[] {
  return [...line.trim().matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain)
}

function run(words: string[]): Promise<{ code: number | null; output: string; errors: string }> {
  const child = spawn(process.execPath, [command, ...words], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let errors = ''
  child.stdout.on('data', chunk => {
    output += chunk
    // A server has done its part when it has said where it is.
    if (words[0] === 'serve' && output.startsWith('http')) child.kill('SIGINT')
  })
  child.stderr.on('data', chunk => {
    errors += chunk
  })
  return new Promise(resolve => child.on('close', code => resolve({ code, output, errors })))
}

async function runDocumented({ where, words }: Documented): Promise<string | undefined> {
  const [name] = words
  const effort = withEffort.includes(name) && !words.includes('--help') ? littleEffort : []
  const own = words.flatMap((word, at) => (ownEffort.includes(word) ? [at, at + 1] : []))
  const cheap = [...words.filter((_, at) => effort.length === 0 || !own.includes(at)), ...effort]
  const replaced = words.some(word => /^--(out|save|chart)$/.test(word)) ? ['--force'] : []
  const { code, errors } = await run([...fewSizes(cheap), ...replaced])
  // So few steps may miss the measured clusters by more than the documented bar allows.
  const fine = code === 0 || (code === 4 && words.includes('--max-error')) || (code === 130 && name === 'serve')
  return fine ? undefined : `${where}: foretrain ${words.join(' ')} ended with ${code}: ${errors}`
}

/** A sweep multiplies its sizes by everything else. */
function fewSizes(words: string[]): string[] {
  const at = words.indexOf('--workers')
  if (words[0] !== 'sweep' || words.includes('--help')) return words
  return [...(at < 0 ? words : words.toSpliced(at, 2)), '--workers', '1,2']
}

/** In the order given where one writes what another reads; else as many at once as there are processors. */
async function failuresOf(all: Documented[]): Promise<string[]> {
  const failures: string[] = []
  const waiting = [...new Map(all.map(one => [one.words.join(' '), one])).values()]
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const failure = await runDocumented(next)
      if (failure !== undefined) failures.push(failure)
    }
  }
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, lane))
  return failures
}

test('commands of README and docs run', { timeout: 300_000 }, async () => {
  const documented = pages.flatMap(ofPage)
  expect(documented.length).toBeGreaterThan(20)
  const writes = (word: string) => /^--(out|save)$/.test(word)
  const first = documented.filter(({ words }) => words.some(writes))
  expect(await failuresOf(first)).toEqual([])
  expect(await failuresOf(documented.filter(one => !first.includes(one)))).toEqual([])
})

test('examples of the help run', { timeout: 300_000 }, async () => {
  const { output } = await run(['--help'])
  const commands = [...output.matchAll(/^ {2}([a-z]+)[ |].*\[flags\]|^ {2}([a-z]+) \[/gm)].map(([, one, other]) => one ?? other)
  expect(commands).toEqual(expect.arrayContaining(['inspect', 'predict', 'compare', 'plan', 'timeline', 'validate']))
  const helps = await Promise.all(
    ['', ...commands].map(async name => ({ name, text: (await run([name, '--help'].filter(Boolean))).output }))
  )
  const shown = helps.flatMap(({ name, text }) =>
    [...text.slice(text.indexOf('Examples:')).matchAll(/^ {2}foretrain (.*)$/gm)]
      .filter(([, line]) => !needsMore.test(line))
      .map(([, line]) => ({ where: `foretrain ${name} --help`, words: wordsOf(line) }))
  )
  expect(shown.length).toBeGreaterThan(10)
  const saved = shown.filter(({ words }) => words.includes('--save'))
  expect(await failuresOf(saved)).toEqual([])
  expect(await failuresOf(shown.filter(one => !saved.includes(one)))).toEqual([])
})

test('every parameter that a prediction prints is explained', { timeout: 60_000 }, async () => {
  const asked = [
    '--servers',
    '2',
    '--mode',
    'sync',
    '--straggler',
    'p=0.1,factor=2',
    '--policy',
    'priority',
    '--compute-speed',
    '2'
  ]
  const effort = ['--workers', '2', ...littleEffort, '--format', 'json']
  const outputs = await Promise.all([[], asked].map(flags => run(['predict', 'trace', ...flags, ...effort])))
  const printed = new Set(outputs.flatMap(({ output }) => Object.keys(JSON.parse(output).parameters)))
  expect(printed.size).toBeGreaterThan(25)
  const table = readFileSync(join(root, 'docs/method.md'), 'utf8').split('## 12. ')[1]
  const explained = new Set([...table.matchAll(/^\| (`.*?) +\|/gm)].flatMap(([, names]) => names.replaceAll('`', '').split(', ')))
  expect([...printed].filter(name => !explained.has(name))).toEqual([])
})

describe('pages', () => {
  test('links lead somewhere', () => {
    const broken = pages.flatMap(path => {
      const links = [...readFileSync(join(root, path), 'utf8').matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
      return links
        .filter(([, link, heading]) => {
          const target = link === '' ? join(root, path) : join(root, path, '..', link)
          return !existsSync(target) || (heading !== undefined && !anchorsOf(target).includes(heading))
        })
        .map(([link]) => `${path}: ${link}`)
    })
    expect(broken).toEqual([])
  })

  test('tests and files that they name exist', () => {
    const homes = [...readdirSync(join(root, 'packages')).map(name => `packages/${name}/test`), 'bench/test']
    const files = homes.flatMap(home =>
      existsSync(join(root, home)) ? readdirSync(join(root, home), { recursive: true, encoding: 'utf8' }) : []
    )
    const tests = new Set(files.map(path => basename(path)))
    const missing = pages.flatMap(path => {
      const text = readFileSync(join(root, path), 'utf8')
      return [...text.matchAll(/`([\w/.-]*\.test\.ts)`/g)].map(([, name]) => name).filter(name => !tests.has(basename(name)))
    })
    expect(missing).toEqual([])
  })
})
