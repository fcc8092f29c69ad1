import { batch } from '@preact/signals'
import { simulateCurve } from './engine/curve.ts'
import { Pool } from './engine/pool.ts'
import { FilesError, type Given } from './files.ts'
import { type Measured, readMeasured } from './measured.ts'
import { questionOf } from './question.ts'
import { defaultSettings, type Settings } from './settings.ts'
import { chosenSize, comparing, comparison, curve, measured, problem, reading, settings, simulating, trace } from './state.ts'
import type { Asked } from './worker/protocol.ts'

/** What a visitor can do. Every action ends the work of the one before it that it makes useless. */

export const pool = new Pool()

let traces = 0
const warmingUp = new AbortController()
let readingNow = new AbortController()
let simulatingNow = new AbortController()
let comparingNow = new AbortController()

/** Reads what was dropped; a case alone is held against the trace that is there. */
export async function open(give: () => Promise<Given>): Promise<void> {
  performance.mark('asked')
  warmingUp.abort()
  readingNow.abort()
  readingNow = new AbortController()
  const { signal } = readingNow
  problem.value = undefined
  try {
    const given = await give()
    const measuredNow = await readCases(given)
    if (signal.aborted) return
    if (given.traces.length > 0) await openTraces(given, measuredNow, signal)
    else if (measuredNow !== undefined && trace.value !== undefined) measured.value = measuredNow
    else throw new FilesError(nothingFound(given, measuredNow))
  } catch (error) {
    if (!signal.aborted) fail(error)
  } finally {
    if (!signal.aborted) reading.value = undefined
  }
}

async function openTraces({ traces: files, passedOver }: Given, measuredNow: Measured | undefined, signal: AbortSignal) {
  const total = files.length
  reading.value = { done: 0, total }
  traces += 1
  const number = traces
  const onEvent = (progress: { done: number; total: number }) => {
    reading.value = progress
  }
  const found = await pool.run(0, 'read', { files }, { profile: number, signal, onEvent })
  batch(() => {
    trace.value = { number, name: commonName(files.map(({ name }) => name)), found, passedOver }
    measured.value = measuredNow
    curve.value = undefined
    chosenSize.value = undefined
    settings.value = measuredNow === undefined ? settings.value : settingsOfCase(measuredNow, found.servers)
  })
  simulate()
}

/** The page's own example: a measured cluster. */
export async function openExample(): Promise<void> {
  await open(exampleFiles)
}

async function exampleFiles(): Promise<Given> {
  const { name, profile, measured: document } = await import('virtual:example')
  const bytes = Uint8Array.from(atob(profile), character => character.charCodeAt(0))
  const file = (part: BlobPart, fileName: string) => ({ name: `${name}/${fileName}`, file: new Blob([part]) })
  return { traces: [file(bytes, 'profile.json.gz')], cases: [file(document, 'case.json')], passedOver: [] }
}

/** Lets every worker compile its code on the example while nobody waits; the first trace that is dropped then takes half as long. */
export async function warmUp(): Promise<void> {
  const { signal } = warmingUp
  const { traces: saved } = await exampleFiles()
  for (let worker = 0; worker < pool.size; worker++)
    pool.run(worker, 'warmUp', { saved: saved[0] }, { profile: 0, signal }).catch(() => {})
}

/** Sets fields and lets the curve follow. */
export function change(changes: Partial<Settings>): void {
  performance.mark('asked')
  settings.value = { ...settings.value, ...changes }
  if (trace.value !== undefined) simulate()
}

export function choose(size: number): void {
  chosenSize.value = size
}

/** Compares the policies on one cluster, on the pool's last worker, so that the curve keeps the others. */
export async function compareNow(workers: number): Promise<void> {
  stopComparing()
  const asked = readSettings()
  if (asked === undefined) return
  const { signal } = comparingNow
  const { policy: _, ...rest } = asked
  comparing.value = { done: 0, total: 32 }
  try {
    const question = { ...rest, workers: [workers] as [number] }
    const onEvent = (progress: { done: number; total: number }) => {
      comparing.value = progress
    }
    comparison.value = await pool.run(pool.size - 1, 'compare', { question }, { profile: trace.value!.number, signal, onEvent })
  } catch (error) {
    if (!signal.aborted) fail(error)
  } finally {
    if (!signal.aborted) comparing.value = undefined
  }
}

/** What was compared belongs to settings that have moved on. */
function stopComparing(): void {
  comparingNow.abort()
  comparingNow = new AbortController()
  batch(() => {
    comparing.value = undefined
    comparison.value = undefined
  })
}

function simulate(): void {
  stopComparing()
  simulatingNow.abort()
  simulatingNow = new AbortController()
  const { signal } = simulatingNow
  const asked = readSettings()
  if (asked === undefined) return
  void follow(asked, settings.value, signal)
}

function readSettings(): Asked | undefined {
  try {
    const asked = questionOf(settings.value)
    problem.value = undefined
    return asked
  } catch (error) {
    fail(error)
    return undefined
  }
}

async function follow(asked: Asked, from: Settings, signal: AbortSignal): Promise<void> {
  const { number } = trace.value!
  simulating.value = true
  // The curve before stays until the first point of this one is there.
  let points: NonNullable<typeof curve.value>['points'] = new Map()
  const show = (changes: Partial<NonNullable<typeof curve.value>>) => {
    const before = curve.value?.settings === from ? curve.value : undefined
    curve.value = { settings: from, sizes: asked.workers, level: undefined, prediction: undefined, ...before, points, ...changes }
  }
  try {
    const prediction = await simulateCurve(pool, number, asked, {
      signal,
      onPoint: point => {
        points = new Map(points).set(point.point.workers, point)
        // The first points of a curve come together, so that it does not grow from one end.
        if (point.level !== 'coarse') show({})
      },
      onLevel: level => {
        show({ level })
        performance.measure(`${level} curve`, 'asked')
      }
    })
    if (!signal.aborted) show({ prediction })
  } catch (error) {
    if (!signal.aborted) fail(error)
  } finally {
    if (!signal.aborted) simulating.value = false
  }
}

async function readCases({ cases }: Given): Promise<Measured | undefined> {
  if (cases.length > 1)
    throw new FilesError(`${cases.length} cases at once (${cases.map(({ name }) => name).join(', ')}): drop one`)
  for (const { name, file } of cases) return readMeasured(await file.text(), name)
  return undefined
}

/** What was measured and what is predicted must be of the same kind. Links stay as calibrated from the trace. */
function settingsOfCase({ batchSize, mode, servers }: Measured, tracedServers: number): Settings {
  const others = servers === tracedServers ? 0 : servers
  return { ...settings.value, batch: batchSize, mode: mode || defaultSettings.mode, servers: others }
}

function commonName(names: readonly string[]): string {
  const [first] = names
  if (names.length === 1) return first
  const folder = first.split('/').slice(0, -1).join('/')
  return folder !== '' && names.every(name => name.startsWith(`${folder}/`)) ? folder : `${names.length} files`
}

function nothingFound({ passedOver }: Given, measuredNow: Measured | undefined): string {
  if (measuredNow !== undefined) return `${measuredNow.name}: a case says what was measured; drop the traces too`
  const some = passedOver.slice(0, 3).join(', ')
  const rest = passedOver.length > 3 ? ` and ${passedOver.length - 3} more` : ''
  const skipped = passedOver.length > 0 ? `passed over ${some}${rest}` : 'it is empty'
  return `no traces here: looked for *.pb, *.pb.gz and names with "run_metadata"; ${skipped}`
}

function fail(error: unknown): void {
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) }
  const known = ['TraceError', 'QuestionError', 'CaseError', 'FilesError'].includes(name)
  problem.value = { message: known ? message : `bug: ${message} (please report it with what you did and, if you can, the trace)` }
  simulating.value = false
}
