/** Command lines from the grammar of the help, made by fast-check: right, wrong, and about files that are neither. */
import fc from 'fast-check'

/** What the help's examples would make too much work, or what it has no examples of, by flag. Files are those of folder.mjs. */
const values = {
  '--workers': ['1', '2', '1-3', '1,2'],
  '--servers': ['1', '2', '1,2'],
  '--jobs': ['1', '2'],
  '--replications': ['1', '2', '3'],
  '--steps': ['1', '2'],
  '--precision': ['20%', '50%'],
  '--target': ['0.1steps/s', '1examples/s', '1000steps/s'],
  '--window': ['1steps', '2s', '8MiB', '100ms@1s'],
  '--trace-workers': ['0', '0-1'],
  '--redis': ['redis://127.0.0.1:1', 'redis://user:secret@127.0.0.1:1/2', 'http://127.0.0.1'],
  '--port': ['0'],
  '--placement': ['greedy', 'round-robin', 'placement.json'],
  '--policy': ['recorded', 'fifo,tic', 'priority', 'random', 'order:ranks.csv', 'order:missing.csv'],
  '--cluster': ['cluster.yaml', 'bomb.yaml'],
  '--plan': ['plan.yaml', 'bomb.yaml'],
  '--sizes': ['sizes.csv'],
  '--out': ['new.csv', 'new.json', 'new.parquet', 'new.txt', '-', 'old.csv'],
  '--save': ['saved.json', '-', 'old.csv'],
  '--chart': ['new.svg', 'new.csv']
}

/** Commands that go on until they are ended get no such flags; the others are kept small by them, whatever follows. */
const effort = {
  inspect: [],
  predict: ['--workers', '2', '--replications', '1', '--steps', '1'],
  compare: ['--workers', '2', '--replications', '2', '--steps', '1'],
  timeline: ['--workers', '2', '--window', '1steps', '--out', 'new.json'],
  plan: ['--workers', '1-2', '--target', '0.1steps/s', '--price', 'worker=1,server=1', '--replications', '1', '--steps', '1'],
  sweep: ['--workers', '1,2', '--replications', '1', '--steps', '1'],
  validate: ['--replications', '1', '--steps', '1'],
  work: [],
  serve: []
}

const hostileTexts = [
  ...[
    '',
    ' ',
    '-',
    '--',
    '-1',
    '0',
    '1.5',
    'NaN',
    'Infinity',
    '1e999',
    '99999999999999999999',
    '0x10',
    '1,,2',
    ',',
    '1-',
    '5-1',
    '%',
    '=',
    '@'
  ],
  ...[
    '1Gbps',
    '1Tbps',
    '1e999Gbps',
    '1h',
    '-1s',
    '0B',
    '__proto__',
    'constructor',
    'toString',
    'null',
    'ß',
    '\u0661',
    '\u202e',
    '\ufeff1'
  ],
  ...['a\nb', '\u001b[31mred', '\u0007', '\\', '"', "'", '$(id)', '{1..3}', 'x'.repeat(3000), '1,'.repeat(3000)]
]

const hostileFiles = [
  ...['empty.pb', 'noise.pb', 'cut.pb', 'folder', 'missing.pb', 'missing/new.csv', 'profile.json', 'profile.json/x', 'bomb.yaml'],
  ...['.', '/', '/dev/null', '/dev/full', '*.none', '[', '{a,b}', 'loop', 'dangling', 'tab\t\u001b[2Jname.csv', 'n'.repeat(300)]
]

/** Opening a browser is no business of a test, and reading all of the machine takes long. */
const left = new Set(['--open', '--help', '--version'])

/**
 * @param {readonly import('./help.mjs').Command[]} commands
 * @returns {fc.Arbitrary<string[]>}
 */
export function commandLines(commands) {
  const all = commands.flatMap(({ flags }) => flags).filter(({ name }) => !left.has(name))
  const known = fc.constantFrom(...commands).chain(command => ofCommand(command, all))
  const odd = fc.array(fc.constantFrom(...hostileTexts, ...hostileFiles, 'help', '--help', '--version', '-h'), { maxLength: 3 })
  return fc.oneof({ weight: 24, arbitrary: known }, { weight: 1, arbitrary: odd })
}

/** @param {import('./help.mjs').Command} command @param {import('./help.mjs').Flag[]} all */
function ofCommand(command, all) {
  const own = command.flags.filter(({ name }) => !left.has(name))
  const flags = fc.array(
    fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...own).chain(withValue) },
      { weight: 1, arbitrary: fc.constantFrom(...all).chain(withValue) },
      { weight: 1, arbitrary: fc.constantFrom(...own).map(({ name }) => [name]) },
      { weight: 1, arbitrary: fc.constantFrom(['--nothing'], ['-x'], ['--workers=']) }
    ),
    { maxLength: 4 }
  )
  const right = fc.constant(command.name === 'validate' ? ['case'] : ['profile.json'])
  const wrong = fc.array(
    fc.constantFrom(...hostileFiles, '-', 'profile.json').filter(name => name !== '/'),
    { maxLength: 3 }
  )
  const files = command.takesFiles ? fc.oneof({ weight: 4, arbitrary: right }, { weight: 1, arbitrary: wrong }) : fc.constant([])
  const begin = effort[/** @type {keyof typeof effort} */ (command.name)] ?? []
  return fc.tuple(files, flags).map(([names, given]) => [command.name, ...names, ...begin, ...given.flat()])
}

/** @param {import('./help.mjs').Flag} flag @returns {fc.Arbitrary<string[]>} */
function withValue({ name, value, examples }) {
  if (value === undefined) return fc.constant([name])
  const right = values[/** @type {keyof typeof values} */ (name)] ?? examples
  const wrong = value === 'FILE' ? hostileFiles : hostileTexts
  const one = fc.oneof(
    { weight: right.length === 0 ? 0 : 3, arbitrary: fc.constantFrom(...(right.length === 0 ? [''] : right)) },
    { weight: 1, arbitrary: fc.constantFrom(...wrong) }
  )
  return fc.tuple(one, fc.boolean()).map(([text, joined]) => (joined ? [`${name}=${text}`] : [name, text]))
}
