/** The program of the simulation thread: does the one job it is given and says how it went. */
import { parentPort, workerData } from 'node:worker_threads'
import { inspectProfile, predict } from '@foretrain/predictor'
import type { Job, Reply } from './simulationThread.ts'

const say = (reply: Reply) => parentPort?.postMessage(reply)

function run(job: Job) {
  if (job.kind === 'inspect') {
    const { profile, files } = job.read
    return inspectProfile({ profile, files: files.map(({ name, ...rest }) => ({ path: name, ...rest })) }, job.options)
  }
  return predict(job.question, { onProgress: progress => say({ kind: 'progress', progress }) })
}

try {
  say({ kind: 'result', result: await run(workerData as Job) })
} catch (thrown) {
  // Only plain data crosses the boundary between threads: a class would arrive as an Error without its name.
  const { name, message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown))
  say({ kind: 'error', name, message, stack })
}
