import { batch } from '@preact/signals'
import { comparing, comparison, trace } from '../state.ts'
import { Latest } from './latest.ts'
import { lastWorker, pool } from './pool.ts'
import { fail } from './problems.ts'
import { askedNow } from './settings.ts'

/** Replications that a comparison may take. */
const mostReplications = 32
const comparingNow = new Latest()

/** Compares the policies on one cluster. */
export async function compareNow(workers: number): Promise<void> {
  stopComparing()
  const asked = askedNow()
  if (asked === undefined) return
  const signal = comparingNow.begin()
  const { policy: _, ...rest } = asked
  comparing.value = { done: 0, total: mostReplications }
  try {
    const question = { ...rest, workers: [workers] as [number] }
    const onEvent = (progress: { done: number; total: number }) => {
      comparing.value = progress
    }
    comparison.value = await pool.run(lastWorker, 'compare', { question }, { profile: trace.value!.number, signal, onEvent })
  } catch (error) {
    if (!signal.aborted) fail(error)
  } finally {
    if (!signal.aborted) comparing.value = undefined
  }
}

/** What was compared belongs to settings that have moved on. */
export function stopComparing(): void {
  comparingNow.stop()
  batch(() => {
    comparing.value = undefined
    comparison.value = undefined
  })
}
