import type { Progress } from '@foretrain/predictor'
import { predictionCsv } from '@foretrain/predictor/text'
import { readClusterFiles } from '../flags/cluster.ts'
import { type OutputFlags, parseOutputFlags } from '../flags/output.ts'
import { readOrders } from '../flags/policy.ts'
import { type PredictFlags, parseJobs, parsePredictFlags } from '../flags/question.ts'
import type { Io } from '../io/io.ts'
import type { Libraries } from '../io/libraries.ts'
import { ProgressLine } from '../io/progress.ts'
import { count } from '../render/numbers.ts'
import { renderPrediction } from '../render/prediction.ts'
import { findInputs, readTraces } from './inputs.ts'
import { Destination, writeDocument } from './output.ts'

/** `foretrain predict`: the throughput of clusters of the asked sizes. */
export async function predictCommand(
  names: string[],
  flags: PredictFlags & OutputFlags,
  io: Io,
  libraries: Libraries
): Promise<void> {
  const question = parsePredictFlags(flags, await readClusterFiles(flags))
  const jobs = parseJobs(flags)
  const { format, path, force } = parseOutputFlags(flags, ['table', 'json', 'csv'])
  const destination = await Destination.open(path, force, io)
  const orders = await readOrders([String(question.policy)])
  const inputs = await findInputs(names, flags, { '--out': destination }, io)
  const progress = new ProgressLine(io.errors)
  try {
    const { profile } = await readTraces(inputs, libraries, progress)
    const points = new ProgressLine(io.errors)
    progress.show(`calibrating, then ${count(question.workers.length * (question.servers?.length ?? 1), 'point')}`)
    const hooks = { onProgress: (state: Progress) => points.showPoints(state) }
    const prediction = await libraries.predict({ ...question, ...(orders && { orders }), profile }, hooks, jobs)
    await points.clear()
    await progress.clear()
    await writeDocument(prediction, format, { csv: predictionCsv, table: renderPrediction }, destination, io)
  } finally {
    await progress.clear()
  }
}
