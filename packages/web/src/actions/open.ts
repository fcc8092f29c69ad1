import { batch } from '@preact/signals'
import { FilesError, type Given } from '../files.ts'
import { type Measured, readMeasured } from '../measured.ts'
import { defaultSettings, type Settings } from '../settings.ts'
import { chosenSize, curve, lastPrediction, measured, reading, settings, timelineView, trace } from '../state.ts'
import { Latest } from './latest.ts'
import { pool, readingWorker } from './pool.ts'
import { clearProblem, fail } from './problems.ts'
import { simulate } from './simulate.ts'

let traces = 0
const warmingUp = new AbortController()
const readingNow = new Latest()

/** Reads what was dropped; a case alone is held against the trace that is there. */
export async function open(give: () => Promise<Given>): Promise<void> {
  performance.mark('asked')
  warmingUp.abort()
  const signal = readingNow.begin()
  clearProblem()
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

async function openTraces({ traces: files, tooLarge, title }: Given, measuredNow: Measured | undefined, signal: AbortSignal) {
  const total = files.length
  reading.value = { done: 0, total }
  traces += 1
  const number = traces
  const onEvent = (progress: { done: number; total: number }) => {
    reading.value = progress
  }
  const found = await pool.run(readingWorker, 'read', { files }, { profile: number, signal, onEvent })
  batch(() => {
    trace.value = { number, ...(title ?? titleOf(found.files)), found, tooLarge }
    measured.value = measuredNow
    curve.value = undefined
    lastPrediction.value = undefined
    timelineView.value = undefined
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
  const file = (part: BlobPart, fileName: string) => ({ name: `${name}/${fileName}`, file: new Blob([part]) })
  const traces = [file(decoded(profile), 'profile.json.gz')]
  return { traces, cases: [file(document, 'case.json')], tooLarge: [], title: { name, path: `examples/${name}` } }
}

/** Lets every worker compile its code on the example while nobody waits; the first trace that is dropped then takes half as long. */
export async function warmUp(): Promise<void> {
  const { signal } = warmingUp
  const { traces: saved } = await exampleFiles()
  const { recordedSteps } = await import('virtual:example')
  const recorded = recordedSteps.map((step, index) => ({ name: `${index}.pb.gz`, file: new Blob([decoded(step)]) }))
  for (let worker = 0; worker < pool.size; worker++)
    pool
      .run(worker, 'warmUp', { saved: saved[0], recorded: worker === readingWorker ? recorded : [] }, { profile: 0, signal })
      .catch(() => {})
}

/** @param text base64 */
function decoded(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), character => character.charCodeAt(0))
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

/** The one file, or the folder that holds all. */
function titleOf(files: ReadonlyArray<{ name: string }>): { name: string; path: string | undefined } {
  const [{ name: first }] = files
  if (files.length === 1) return { name: first.replace(/\.(pb|json)(\.gz)?$/, ''), path: first }
  const folders = first.split('/').slice(0, -1)
  const held = folders.findIndex(
    (_, depth) => !files.every(({ name }) => name.startsWith(`${folders.slice(0, depth + 1).join('/')}/`))
  )
  const folder = folders.slice(0, held < 0 ? folders.length : held).join('/')
  return folder !== '' ? { name: folder, path: folder } : { name: `${files.length} files`, path: undefined }
}

function nothingFound({ tooLarge }: Given, measuredNow: Measured | undefined): string {
  if (measuredNow !== undefined) return `${measuredNow.name}: a case says what was measured; drop the traces too`
  return tooLarge.length > 0 ? `${tooLarge[0]}: more than a page can read` : 'no files in what was dropped'
}
