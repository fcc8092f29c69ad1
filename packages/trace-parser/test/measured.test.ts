import { createReadStream, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { extract, type Profile, type RawStep, readTrace, type TraceFile } from '../src/index.ts'
import { codes, expectSound, graphOf, profileOf } from './support/profile.ts'

const EXAMPLES = fileURLToPath(new URL('../../../examples/', import.meta.url))

function traceFiles(name: string): TraceFile[] {
  const folder = `${EXAMPLES}${name}/trace/`
  return readdirSync(folder)
    .sort()
    .map(file => ({ name: file, bytes: createReadStream(folder + file) }))
}

function totals(profile: Profile, kind: string): Array<{ count: number; bytes: number }> {
  return profile.servers.map((_, server) => {
    const own = profile.operations.filter(operation => operation.kind === kind && operation.server === server)
    return { count: own.length, bytes: own.reduce((sum, { bytes }) => sum + bytes, 0) }
  })
}

// Bytes are four times the trainable parameters of the model: each is pulled once and its gradient pushed once, as float32.
const CLUSTERS = [
  { name: 'alexnet-1000', steps: 15, compute: 77, update: 18, transfers: 16, bytes: 244_403_360 },
  { name: 'resnet50-1000', steps: 20, compute: 687, update: 216, transfers: 214, bytes: 102_334_368 },
  { name: 'densenet121-300', steps: 20, compute: 1345, update: 366, transfers: 364, bytes: 31_915_424 },
  { name: 'mobilenetv2-200', steps: 20, compute: 597, update: 160, transfers: 158, bytes: 14_019_488 }
]

describe.each(CLUSTERS)('$name', ({ name, steps, compute, update, transfers, bytes }) => {
  it('has the transfers, bytes and operations of its model', async () => {
    const profile = await profileOf(traceFiles(name))
    expect(profile.steps).toHaveLength(steps)
    expect(totals(profile, 'pull')).toEqual([{ count: transfers, bytes }])
    expect(totals(profile, 'push')).toEqual([{ count: transfers, bytes }])
    expect(totals(profile, 'compute')[0].count).toBe(compute)
    expect(totals(profile, 'update')[0].count).toBe(update)
    expect(profile.warnings).toEqual([])
    expect(profile.counts.imputedTransfers).toBe(0)
    expect(profile.clockOffsetUs).toEqual([0])
  })

  it('is driven by dependencies: only pulls and constants of the worker start by themselves', async () => {
    const profile = await profileOf(traceFiles(name))
    const roots = profile.operations.filter(({ dependencies }) => dependencies.length === 0)
    expect(new Set(roots.map(({ kind, type }) => `${kind} ${type}`))).toEqual(
      new Set(['pull RecvTensor', 'compute Const', 'compute VariableV2'])
    )
    for (const step of profile.steps) {
      roots.forEach(root => {
        const at = profile.operations.indexOf(root)
        // Within a hundredth of the step: the hosts get to hear of a step at slightly different times.
        if (root.kind === 'compute') expect(step.startUs[at]).toBeLessThan(step.spanUs / 100)
      })
    }
  })
})

describe('resnet50-2ps-500', () => {
  it('keeps the two servers apart and fills in the transfers that one step did not log', async () => {
    const profile = await profileOf(traceFiles('resnet50-2ps-500'))
    expect(profile.servers).toEqual(['/job:ps/replica:0/task:0', '/job:ps/replica:0/task:1'])
    expect(totals(profile, 'pull')).toEqual([
      { count: 111, bytes: 49_297_312 },
      { count: 103, bytes: 53_037_056 }
    ])
    expect(totals(profile, 'push')).toEqual(totals(profile, 'pull'))
    expect(profile.counts.imputedTransfers).toBe(6)
    // The counter of steps is on server 0 and waits, over control edges, for the updates on server 1.
    expect(codes(profile).sort()).toEqual(['imputed-transfers', 'peer-transfers'])
    expect(graphOf(profile).get('AssignAdd/value (update)')).toHaveLength(111 + 103)
  })
})

describe.each(['alexnet-1000', 'mobilenetv2-200', 'resnet50-1000'])('%s with another clock on the server', name => {
  it.each([-20_000, -5000, 5000, 20_000])('%d µs ahead: taken out to within the delay of a transfer', async skew => {
    const files = await Promise.all(traceFiles(name).map(file => readTrace(file)))
    const steps = files.flatMap(file => file.steps)
    const expected = extract(steps)
    const profile = extract(steps.map(step => skewed(step, skew)))
    expectSound(profile)
    expect(Math.abs(profile.clockOffsetUs[0] - skew)).toBeLessThan(1500)
    expect(codes(profile)).toEqual(['clock-skew'])
    expect(graphOf(profile)).toEqual(graphOf(expected))
    const endUs = (of: Profile, step: number) =>
      new Map(of.operations.map(({ name, kind }, i) => [`${kind} ${name}`, of.steps[step].endUs[i]]))
    expected.steps.forEach((_, step) => {
      const found = endUs(profile, step)
      for (const [operation, expectedUs] of endUs(expected, step))
        expect(Math.abs(found.get(operation)! - expectedUs)).toBeLessThan(3000)
    })
  })
})

/** The step as it would have been recorded with the servers' clocks ahead by `skew` µs (see grpc_remote_worker.cc for the start of transfers). */
function skewed(step: RawStep, skew: number): RawStep {
  const firstUs = Math.min(...step.devices.flatMap(({ records }) => records.map(({ startUs }) => startUs)))
  const devices = step.devices.map(({ device, records }) => {
    const onServer = device.startsWith('/job:ps')
    const ahead = onServer ? skew : 0
    return {
      device,
      records: records.map(record => {
        const endUs = record.endUs + ahead
        if (record.name !== 'RecvTensor')
          return { ...record, startUs: record.startUs + ahead, endUs, scheduledUs: record.scheduledUs + ahead }
        const sentUs = record.startUs + (onServer ? 0 : skew)
        return { ...record, startUs: Math.min(Math.max(firstUs + ahead, sentUs), endUs - 1), endUs }
      })
    }
  })
  return { ...step, devices }
}

describe('without partition graphs', () => {
  it('labels give the same graph, but for control inputs, which they do not show', async () => {
    const files = await Promise.all(traceFiles('resnet50-2ps-500').map(file => readTrace(file)))
    const steps = files.flatMap(file => file.steps)
    const withGraph = graphOf(extract(steps))
    const profile = extract(steps.map(step => ({ ...step, nodes: [] })))
    expectSound(profile)
    const withLabels = graphOf(profile)
    const counter = ['AssignAdd (update)', 'AssignAdd/value (update)']
    expect([...withGraph.keys()].filter(name => !withLabels.has(name)).sort()).toEqual(counter)
    // A control edge between servers leaves as a constant of its own, which labels lead past.
    const plain = (names: string[] = []) => new Set(names.map(name => name.replace(/\/ctrl_S\d+/, '')))
    for (const [name, dependencies] of withLabels) expect(plain(dependencies)).toEqual(plain(withGraph.get(name)))
    expect(codes(profile)).toContain('late-roots')
  })
})

describe('a step on its own', () => {
  it('makes a profile, with a warning', async () => {
    const profile = await profileOf(traceFiles('resnet50-1000').slice(3, 4))
    expect(codes(profile)).toContain('few-steps')
    expect(profile.steps).toHaveLength(1)
    expect(totals(profile, 'pull')[0]).toEqual({ count: 214, bytes: 102_334_368 })
  })
})
