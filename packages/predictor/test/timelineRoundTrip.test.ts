import { type Operation, type Profile, readProfile } from '@foretrain/trace-parser'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { predict } from '../src/predict/predict.ts'
import { timeline } from '../src/timeline/timeline.ts'
import { readCase } from './support/cases.ts'
import { played } from './support/played.ts'
import { mixedDurations, randomProfile } from './support/randomProfile.ts'
import { faultsOf } from './support/traceEvents.ts'

/** One step of one worker, written and read back. */
async function writtenAndRead(profile: Profile): Promise<{ back: Profile; template: number }> {
  const { chunks } = await timeline({ profile, workers: [1] }, { window: { kind: 'steps', count: 1 } })
  let text = ''
  for await (const chunk of chunks) text += chunk
  const template = Number(/"template":(\d+)/.exec(text)![1])
  return { back: await read(text), template }
}

async function read(text: string): Promise<Profile> {
  async function* bytes() {
    yield new TextEncoder().encode(text)
  }
  return (await readProfile([{ name: 'run.json', bytes: bytes() }])).profile
}

/** What names an operation among all of a profile. */
function keysOf(operations: readonly Operation[]): string[] {
  const seen = new Map<string, number>()
  return operations.map(({ kind, server, name }) => {
    const key = `${kind} ${server} ${name}`
    const ordinal = seen.get(key) ?? 0
    seen.set(key, ordinal + 1)
    return `${key} ${ordinal}`
  })
}

describe.each(['resnet50-1000', 'resnet50-2ps-500'])('a step of %s written as a timeline and read back', name => {
  let profile: Profile
  let back: Profile
  let template: number
  /** Index of each operation of `profile` in `back`. */
  let place: number[]

  beforeAll(async () => {
    ;({ profile } = await readCase(name))
    ;({ back, template } = await writtenAndRead(profile))
    const found = new Map(keysOf(back.operations).map((key, i) => [key, i]))
    place = keysOf(profile.operations).map(key => found.get(key) ?? -1)
  })

  test('has the same operations, of the same bytes and types', () => {
    expect(back.operations).toHaveLength(profile.operations.length)
    expect(place).not.toContain(-1)
    const bytesOfStep = new Map(profile.steps[template].bytes ?? [])
    profile.operations.forEach(({ name: own, kind, type, server, bytes }, i) => {
      const expected = { name: own, kind, type, server, bytes: bytesOfStep.get(i) ?? bytes }
      expect(back.operations[place[i]]).toMatchObject(expected)
    })
  })

  test('has the same dependencies', () => {
    profile.operations.forEach(({ dependencies }, i) => {
      const expected = dependencies.map(from => place[from]).sort((a, b) => a - b)
      expect(back.operations[place[i]].dependencies).toEqual(expected)
    })
  })

  test('has the same durations, to the nanosecond', () => {
    const step = profile.steps[template]
    profile.operations.forEach((_, i) => {
      // Both ends are rounded to a nanosecond; 1e-6 is what doubles of this size cannot tell.
      expect(Math.abs(back.steps[0].durationUs[place[i]] - step.durationUs[i])).toBeLessThan(0.001 + 1e-6)
    })
  })

  test('warns of nothing but that it is one step', () => {
    expect(back.warnings.map(({ code }) => code)).toEqual(['few-steps'])
    expect(back.counts.droppedSteps).toEqual([])
    const ignored = Object.values(back.counts.ignored).reduce((sum, count) => sum + count, 0)
    expect(back.counts.used + ignored).toBe(back.counts.records)
  })

  test('predicts as the trace does', async () => {
    const question = { workers: [2], fixed: { replications: 2, steps: 30 } }
    const [fromTrace] = (await predict({ ...question, profile: { ...profile, traces: ['0'], steps: [profile.steps[template]] } }))
      .points
    const [fromTimeline] = (await predict({ ...question, profile: back })).points
    // 0.05 % and 1.3 % apart: calibration reads goodput and turns off times that the model made, without the noise of the real ones.
    expect(Math.abs(fromTimeline.stepsPerSecond.mean / fromTrace.stepsPerSecond.mean - 1)).toBeLessThan(0.03)
  })
})

/** Whether extraction keeps every operation: a worker that does something, transfers, and no update that nothing was pushed for. */
function isStep({ operations }: Profile): boolean {
  const afterPush: boolean[] = []
  operations.forEach(({ kind, dependencies }, i) => {
    afterPush[i] = kind === 'push' || dependencies.some(from => afterPush[from])
  })
  const kinds = new Set(operations.map(({ kind }) => kind))
  return kinds.has('compute') && kinds.has('pull') && operations.every(({ kind }, i) => kind !== 'update' || afterPush[i])
}

test('any graph comes back, on two servers, also where hosts wait for each other without a transfer', async () => {
  const profiles = randomProfile({ kinds: ['compute', 'compute', 'pull', 'push', 'update'], durationUs: mixedDurations })
  await fc.assert(
    fc.asyncProperty(profiles.filter(isStep), async profile => {
      const document = await played(profile)
      expect(faultsOf(document)).toEqual([])
      const back = await read(JSON.stringify(document))
      // A server that nothing is pulled from or pushed to is none of the timeline's.
      const servers = [...new Set(profile.operations.filter(({ kind }) => kind !== 'compute').map(({ server }) => server))].sort()
      const described = ({ operations }: Profile, serverOf: (server: number) => number) =>
        Object.fromEntries(
          operations.map(({ name, kind, server, dependencies }) => [
            name,
            [kind, kind === 'compute' ? 0 : serverOf(server), dependencies.map(from => operations[from].name).sort()]
          ])
        )
      expect(described(back, server => servers[server])).toEqual(described(profile, server => server))
      const template = document.traceEvents.find(({ cat }) => cat === 'step')!.args.template as number
      const durationOf = ({ operations, steps }: Profile, at: number, name: string) =>
        steps[at].durationUs[operations.findIndex(operation => operation.name === name)]
      for (const { name } of profile.operations)
        expect(Math.abs(durationOf(back, 0, name) - durationOf(profile, template, name))).toBeLessThan(0.001 + 1e-6)
    }),
    { numRuns: 100, seed: 7 }
  )
})
