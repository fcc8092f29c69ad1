import { compare, comparedPolicies, predict, timeline, timelineColumns } from '@foretrain/predictor'
import { ProfileStore } from './profileStore.ts'
import type { Events, Reply, Request, Results, TaskKind, Tasks } from './protocol.ts'
import { readFiles } from './readFiles.ts'

/** The program of a web worker: tasks one beside the other, each until it is done or aborted. */

interface Job<Kind extends TaskKind> {
  input: Tasks[Kind]
  profile: number
  signal: AbortSignal
  tell(event: Events[Kind]): void
}

/** Of a few small files: as often as makes a browser compile the code that reads them. */
const warmUpReadings = 20

const profiles = new ProfileStore()
const running = new Map<number, AbortController>()
const send = (reply: Reply, transfer: Transferable[] = []) => self.postMessage(reply, { transfer })

const tasks: { [Kind in TaskKind]: (job: Job<Kind>) => Promise<Results[Kind]> } = {
  async read({ input, profile: number, tell }) {
    const { profile, found } = await readFiles(input.files, (done, total) => tell({ done, total }))
    profiles.publish(number, profile)
    return found
  },
  async predict({ input, profile, signal, tell }) {
    const question = { ...input.question, profile: await profiles.get(profile) }
    return predict(question, { signal, onPoint: tell })
  },
  async compare({ input, profile, signal, tell }) {
    const question = { ...input.question, policies: [...comparedPolicies], profile: await profiles.get(profile) }
    return compare(question, { signal, onProgress: tell })
  },
  async timeline({ input, profile, signal }) {
    return timelineColumns({ ...input.question, profile: await profiles.get(profile) }, { signal })
  },
  async timelineFile({ input, profile, signal }) {
    const { chunks } = await timeline({ ...input.question, profile: await profiles.get(profile) }, { signal })
    const parts: string[] = []
    for await (const chunk of chunks) parts.push(chunk)
    return new Blob(parts, { type: 'application/json' })
  },
  async warmUp({ input: { saved, recorded }, signal }) {
    const { profile } = await readFiles([saved], () => {})
    await predict({ profile, workers: [1, 4], fixed: { replications: 2, steps: 12 } }, { signal })
    for (let time = 0; time < warmUpReadings && recorded.length > 0; time++) {
      signal.throwIfAborted()
      await readFiles(recorded, () => {})
    }
    return undefined
  }
}

async function start({ job, task, profile, input }: Extract<Request, { kind: 'start' }>): Promise<void> {
  const controller = new AbortController()
  running.set(job, controller)
  const { signal } = controller
  // Behind what waits already: of a slider's many jobs all but the last are aborted by then, and setting one up takes long.
  await new Promise(resolve => setTimeout(resolve))
  try {
    signal.throwIfAborted()
    const run = tasks[task] as unknown as (job: Job<TaskKind>) => Promise<Results[TaskKind]>
    const result = await run({ input, profile, signal, tell: event => send({ kind: 'event', job, event }) } as Job<TaskKind>)
    send({ kind: 'result', job, result }, task === 'timeline' ? buffersOf(result) : [])
  } catch (error) {
    const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) }
    if (!signal.aborted) send({ kind: 'failure', job, name, message })
  } finally {
    running.delete(job)
  }
}

/** Memory behind all columns of a value: it is handed over instead of copied. */
function buffersOf(value: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) return [value.buffer as ArrayBuffer]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(buffersOf) : []
}

self.onmessage = ({ data }: MessageEvent<Request>) => {
  if (data.kind === 'start') void start(data)
  else if (data.kind === 'abort') running.get(data.job)?.abort()
  else profiles.connect(data.port)
}
