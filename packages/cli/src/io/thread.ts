/** The program of the simulation thread: does the one job it is given and says how it went; a comparing one takes task after task. */

import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { inspectProfile, PolicyRuns, predict, timeline } from '@foretrain/predictor'
import type { Task, TaskReply } from './compareInThreads.ts'
import type { Job, Reply } from './simulationThread.ts'
import type { TimelineReply } from './timelineThread.ts'

const say = (reply: Reply | TimelineReply | TaskReply) => parentPort?.postMessage(reply)

/** Only plain data crosses the boundary between threads: a class would arrive as an Error without its name. */
function describe(thrown: unknown) {
  const { name, message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown))
  return { kind: 'error' as const, name, message, stack }
}

function run(job: Exclude<Job, { kind: 'timeline' | 'compare' }>) {
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

function takeTasks({ question }: Extract<Job, { kind: 'compare' }>): void {
  // Made at once, not with the first task: every thread is to be ready when the first runs come.
  const opened = PolicyRuns.open(question)
  // It is awaited with each task.
  opened.catch(() => {})
  parentPort?.on('message', async (task: Task) => {
    try {
      const runs = await opened
      if (task.kind === 'facts') say({ kind: 'result', result: await runs.facts() })
      else if (task.kind === 'sensitivities') say({ kind: 'result', result: await runs.sensitivities(task.reference) })
      else say({ kind: 'result', result: (await runs.rates([task.run]))[0] })
    } catch (thrown) {
      say(describe(thrown))
    }
  })
}

const job = workerData as Job
if (job.kind === 'compare') takeTasks(job)
else {
  try {
    if (job.kind === 'timeline') await runTimeline(job)
    else say({ kind: 'result', result: await run(job) })
  } catch (thrown) {
    say(describe(thrown))
  }
}
