/** The program of a worker thread: it has one sweep, and simulates the chunks it is given. */
import type { SweepCommon } from '@foretrain/predictor'
import { workerData } from 'piscina'
import type { Chunk } from '../local/chunks.ts'
import { inThisThread } from '../local/inThisThread.ts'
import type { SweepPlan } from '../local/plan.ts'
import type { Row } from '../local/rows.ts'

/** What all tasks of a thread share (workerData): it crosses once. */
export interface ThreadData {
  profile: SweepCommon['profile']
  plan: SweepPlan
  module: WebAssembly.Module
}

export interface Task extends Chunk {
  /** The rows say this in place of figures. */
  failure?: string
}

/** Only plain data crosses the boundary between threads: a class would arrive as an Error without its name. */
export type Reply = { rows: Row[] } | { error: { name: string; message: string; stack: string | undefined } }

const { profile, plan, module } = workerData as ThreadData
const opened = inThisThread(profile, plan, module)
// It is awaited with each task.
opened.catch(() => {})

export default async ({ from, to, failure }: Task): Promise<Reply> => {
  try {
    const executor = await opened
    return { rows: failure === undefined ? await executor.run({ from, to }) : executor.failedRows({ from, to }, failure) }
  } catch (thrown) {
    const { name, message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown))
    return { error: { name, message, stack } }
  }
}
