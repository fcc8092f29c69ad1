#!/usr/bin/env node
/**
 * The capture examples against real TensorFlow: `node bench/capture/run.mjs [--keep]` in a built checkout. Each example of examples/capture trains
 * with one parameter server and one worker on 127.0.0.1; what it saves is inspected and predicted from. Python is the one that PY names,
 * else python3 if it has TensorFlow, else a virtual environment that is made once (500 MB). With --keep some of the steps replace those in
 * bench/capture/traces, which the tests read. Ends with 1 when one of them fails.
 */
import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { benchFolder, command, root } from '../lib/paths.mjs'
import { findPythonPackage } from '../lib/pythonPackage.mjs'
import { withTemporaryFolder } from '../lib/temporaryFolder.mjs'

const examples = ['session', 'monitored_session', 'estimator']
/** The last version with Estimators, which all three examples run with. */
const tensorflow = { package: 'tensorflow-cpu', module: 'tensorflow', pinned: '2.15.1' }
/** Of the steps that an example traces: the last one carries the partition graphs. */
const keptSteps = ['000', '001', '002', '018', '019']
const patienceMs = 300_000

const found = findPythonPackage(tensorflow, { python: process.env.PY ?? 'python3', timeoutMs: patienceMs })
if ('missing' in found) {
  console.error(`no TensorFlow: ${found.missing}`)
  process.exit(1)
}
const { python, version } = found
console.log(`TensorFlow ${version} (${python})\n`)
let failed = false
for (const example of examples) {
  if (example === 'estimator' && !hasEstimators()) {
    console.log('estimator.py: left out, TensorFlow 2.16 and newer have no Estimators; set PY to a Python with 2.15\n')
    continue
  }
  failed = !(await withTemporaryFolder(folder => runExample(example, folder))) || failed
}
process.exit(failed ? 1 : 0)

function hasEstimators() {
  return spawnSync(python, ['-c', 'import tensorflow as tf; tf.estimator.Estimator']).status === 0
}

/**
 * @param {string} example
 * @param {string} folder for its traces
 * @returns {Promise<boolean>} whether it was traced and predicted from
 */
async function runExample(example, folder) {
  const [ps, worker] = await Promise.all([freePort(), freePort()])
  const script = `${example}.py`
  const flags = ['--ps', `127.0.0.1:${ps}`, '--workers', `127.0.0.1:${worker}`]
  const options = {
    cwd: join(root, 'examples/capture'),
    env: { ...process.env, TF_CPP_MIN_LOG_LEVEL: '3', PYTHONDONTWRITEBYTECODE: '1' }
  }
  console.log(`$ python3 ${script} ${flags.join(' ')} --job worker --trace ${example}`)
  const server = spawn(python, [script, ...flags, '--job', 'ps'], { ...options, stdio: 'ignore' })
  try {
    const trained = await run(python, [script, ...flags, '--job', 'worker', '--trace', join(folder, example)], options)
    const own = trained.output.split('\n').filter(line => line.startsWith('foretrain: '))
    console.log(own.join('\n').replaceAll(`${folder}/`, ''))
    if (trained.code !== 0 || own.length === 0) {
      console.error(`${script} ended with ${trained.code}:\n${trained.output.slice(-4000)}`)
      return false
    }
  } finally {
    server.kill('SIGKILL')
  }
  for (const question of [['inspect'], ['predict', '--workers', '1,2,4', '--batch', '64']]) {
    const [verb, ...rest] = question
    console.log(`\n$ foretrain ${[verb, example, ...rest].join(' ')}`)
    const { status, stdout, stderr } = spawnSync(process.execPath, [command, verb, example, ...rest], {
      cwd: folder,
      encoding: 'utf8'
    })
    console.log(stdout + stderr)
    if (status !== 0) return false
  }
  if (process.argv.includes('--keep')) keep(join(folder, example), example)
  return true
}

/**
 * @param {string} from
 * @param {string} example
 */
function keep(from, example) {
  const to = join(benchFolder, 'capture/traces', example)
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to, { recursive: true })
  for (const step of keptSteps) copyFileSync(join(from, `run_metadata_${step}.pb.gz`), join(to, `run_metadata_${step}.pb.gz`))
}

/**
 * @param {string} program
 * @param {string[]} programArguments
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<{ code: number | string | null, output: string }>} output and errors as they came
 */
function run(program, programArguments, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, programArguments, { ...options, stdio: ['ignore', 'pipe', 'pipe'], timeout: patienceMs })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', text => {
        output += text
      })
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code: code ?? signal, output }))
  })
}

/** @returns {Promise<number>} free when it was looked for */
function freePort() {
  return new Promise((resolve, reject) => {
    const listener = createServer()
    listener.on('error', reject)
    listener.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (listener.address())
      listener.close(() => resolve(port))
    })
  })
}
