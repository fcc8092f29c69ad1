/** The program of the simulation thread: does the one job it is given and says how it went. */

import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { inspectProfile, predict, timeline } from '@foretrain/predictor'
import type { Job, Reply } from './simulationThread.ts'
import type { TimelineReply } from './timelineThread.ts'

const say = (reply: Reply | TimelineReply) => parentPort?.postMessage(reply)

function run(job: Exclude<Job, { kind: 'timeline' }>) {
  if (job.kind === 'inspect') {
    const { profile, files } = job.read
    return inspectProfile({ profile, files: files.map(({ name, ...rest }) => ({ path: name, ...rest })) }, job.options)
  }
  return predict(job.question, { onProgress: progress => say({ kind: 'progress', progress }) })
}

/** A piece goes out when one is asked for, so that none pile up. */
async function runTimeline({ question, options }: Extract<Job, { kind: 'timeline' }>): Promise<void> {
  const { estimate, chunks } = await timeline(question, options)
  say({ kind: 'estimate', estimate })
  if (parentPort === null) return
  await once(parentPort, 'message')
  for await (const text of chunks) {
    // Listening begins before the piece goes out: its answer must not be missed.
    const asked = once(parentPort, 'message')
    say({ kind: 'chunk', text })
    await asked
  }
  say({ kind: 'end' })
}

try {
  const job = workerData as Job
  if (job.kind === 'timeline') await runTimeline(job)
  else say({ kind: 'result', result: await run(job) })
} catch (thrown) {
  // Only plain data crosses the boundary between threads: a class would arrive as an Error without its name.
  const { name, message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown))
  say({ kind: 'error', name, message, stack })
}
