import { spawnSync } from 'node:child_process'
import { createReadStream, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { predict } from '@foretrain/predictor'
import { readProfile } from '@foretrain/trace-parser'
import { describe, expect, test } from 'vitest'

const captureFolder = join(import.meta.dirname, '../capture')
const examples = join(import.meta.dirname, '../../examples/capture')

/** What examples/capture/small_job.py trains: float32 kernels and biases of 784 → 1024 → 1024 → 10. */
const modelBytes = 4 * (784 * 1024 + 1024 + 1024 * 1024 + 1024 + 1024 * 10 + 10)

function filesOf(example: string) {
  const folder = join(captureFolder, 'traces', example)
  return readdirSync(folder)
    .sort()
    .map(name => ({ name, bytes: createReadStream(join(folder, name)) }))
}

describe.each([
  ['session', '/job:worker/replica:0/task:0'],
  ['monitored_session', '/job:worker/replica:0/task:0'],
  ['estimator', '/job:chief/replica:0/task:0']
])('what %s.py saved', (example, worker) => {
  test('makes a profile with every parameter pulled and pushed once', async () => {
    const { profile, files } = await readProfile(filesOf(example))
    expect(files.map(({ format }) => format)).toEqual(new Array(5).fill('RunMetadata (gzip)'))
    expect({ worker: profile.worker, servers: profile.servers }).toEqual({ worker, servers: ['/job:ps/replica:0/task:0'] })
    expect(profile.steps).toHaveLength(5)
    for (const kind of ['pull', 'push']) {
      const tensors = profile.operations.filter(operation => operation.kind === kind && operation.bytes >= 40)
      expect(tensors.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(modelBytes)
    }
    // Dependencies are from the partition graphs of the last step, so none had to be guessed.
    expect(profile.warnings.map(({ code }) => code)).not.toContain('late-roots')
  })

  test('is predicted from', async () => {
    const { profile } = await readProfile(filesOf(example))
    const { points } = await predict({ profile, workers: [1, 2], fixed: { replications: 2, steps: 20 } })
    const [one, two] = points.map(({ stepsPerSecond }) => stepsPerSecond.mean)
    const recorded = 1e6 / (profile.steps.reduce((sum, { spanUs }) => sum + spanUs, 0) / profile.steps.length)
    expect(one).toBeGreaterThan(0.5 * recorded)
    expect(one).toBeLessThan(1.1 * recorded)
    expect(two).toBeGreaterThan(1.2 * one)
    expect(two).toBeLessThan(2.01 * one)
  })
})

describe('the Python of examples/capture', () => {
  test('is Python', () => {
    const scripts = readdirSync(examples).filter(name => name.endsWith('.py'))
    expect(scripts.length).toBeGreaterThanOrEqual(5)
    const compile = 'import sys\nfor name in sys.argv[1:]: compile(open(name).read(), name, "exec")'
    const { status, stderr } = spawnSync('python3', ['-c', compile, ...scripts], { cwd: examples, encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  test('traces the steps that it should', () => {
    const { status, stderr } = spawnSync('python3', ['-m', 'unittest', 'discover', '-s', captureFolder], { encoding: 'utf8' })
    expect(stderr).toMatch(/Ran [1-9]\d* tests[\s\S]*\nOK\n$/)
    expect(status).toBe(0)
  })
})
