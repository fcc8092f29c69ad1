import type { Profile } from '@foretrain/trace-parser'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Question } from '../src/question.ts'
import type { TimelineColumns } from '../src/timeline/columns.ts'
import { sliceKinds } from '../src/timeline/slices.ts'
import { type TimelineOptions, timeline, timelineColumns } from '../src/timeline/timeline.ts'
import { readCase } from './support/cases.ts'
import { collected, type TraceDocument, trackNames } from './support/traceEvents.ts'

const options: TimelineOptions = { window: { kind: 'steps', count: 2 }, tracedWorkers: [0, 2] }
let profile: Profile
let columns: TimelineColumns
let document: TraceDocument

beforeAll(async () => {
  ;({ profile } = await readCase('resnet50-2ps-500'))
  const question: Question = { profile, workers: [3], seed: 5 }
  columns = await timelineColumns(question, options)
  document = await collected((await timeline(question, options)).chunks)
})

function laneName({ lanes, hosts }: TimelineColumns, lane: number): string {
  return `${hosts[lanes[lane].host].name}/${lanes[lane].name}`
}

/** Rows of slices as texts, lane by lane. */
function slicesOf(from: TimelineColumns): string[] {
  const rows: string[] = []
  from.lanes.forEach((_, lane) => {
    for (let i = from.laneStart[lane]; i < from.laneStart[lane + 1]; i++) {
      const step = from.step[i]
      const row = [laneName(from, lane), sliceKinds[from.kind[i]], from.startUs[i], from.durationUs[i]]
      const named = from.operation[i] < 0 ? undefined : from.operations.name[from.operation[i]]
      rows.push(JSON.stringify([...row, named, from.bytes[i], from.waitedUs[i], from.steps.worker[step], from.steps.ordinal[step]]))
    }
  })
  return rows
}

describe('columns of two steps of two workers', () => {
  test('have every slice of the text, with the same times, bytes and waits, on the same tracks', () => {
    const trackOf = trackNames(document)
    const expected = document.traceEvents
      .filter(({ ph }) => ph === 'X')
      .map(event => {
        const { name, bytes = 0, waitUs = 0, worker, step } = event.args
        return JSON.stringify([trackOf(event), event.cat, event.ts, event.dur, name, bytes, waitUs, worker, step])
      })
    const own = slicesOf(columns)
    expect(own.length).toBeGreaterThan(5000)
    expect([...own].sort()).toEqual(expected.sort())
  })

  test('have the counts of the text', () => {
    const counts = columns.counters.flatMap(({ host, name, atUs, value }) =>
      [...atUs].map((us, i) => `${columns.hosts[host].name}/${name} ${us} ${value[i]}`)
    )
    const hosts = new Map(
      document.traceEvents.filter(({ name }) => name === 'process_name').map(({ pid, args }) => [pid, args.name as string])
    )
    const expected = document.traceEvents
      .filter(({ ph }) => ph === 'C')
      .map(({ pid, name, ts, args }) => `${hosts.get(pid)}/${name} ${ts} ${args.count}`)
    expect(counts.sort()).toEqual(expected.sort())
  })

  test('lie lane by lane, each in the order of time, hosts as they are listed', () => {
    const { laneStart, startUs, durationUs, lanes, hosts } = columns
    expect(laneStart[laneStart.length - 1]).toBe(startUs.length)
    lanes.forEach(({ host }, lane) => {
      if (lane > 0) expect(host).toBeGreaterThanOrEqual(lanes[lane - 1].host)
      for (let i = laneStart[lane] + 1; i < laneStart[lane + 1]; i++)
        expect(startUs[i]).toBeGreaterThanOrEqual(startUs[i - 1] + durationUs[i - 1] - 1e-3)
    })
    expect(hosts.map(({ name }) => name)).toEqual(['worker 0', 'worker 2', 'server 0', 'server 1'])
    expect(lanes.filter(({ host }) => host === 0).map(({ name }) => name.replace(/ \(\d+\)$/, ''))).toEqual(
      expect.arrayContaining(['step', 'pull from server 0', 'pull from server 1', 'parse', 'compute', 'push to server 1'])
    )
  })

  test('know what each operation waits for', () => {
    const { dependencyStart, dependencies, server } = columns.operations
    profile.operations.forEach((operation, id) => {
      expect([...dependencies.subarray(dependencyStart[id], dependencyStart[id + 1])]).toEqual(operation.dependencies)
      expect(server[id]).toBe(operation.kind === 'compute' ? -1 : operation.server)
    })
  })

  test('are refused when there would be too many', async () => {
    await expect(timelineColumns({ profile, workers: [3] }, { ...options, mostSlices: 100 })).rejects.toThrow(
      'the window has more than 100 slices: ask for a shorter one, or for fewer traced workers'
    )
  })
})
