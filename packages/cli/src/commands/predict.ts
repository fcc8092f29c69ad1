import type { Progress } from '@foretrain/predictor'
import { predictionCsv, renderJson } from '@foretrain/predictor/text'
import { readClusterFiles } from '../flags/cluster.ts'
import { type OutputFlags, parseOutputFlags } from '../flags/output.ts'
import { readOrders } from '../flags/policy.ts'
import { type PredictFlags, parseJobs, parsePredictFlags } from '../flags/question.ts'
import type { Io } from '../io/io.ts'
import type { Libraries } from '../io/libraries.ts'
import { ProgressLine } from '../io/progress.ts'
import { settingsFiles } from '../io/settingsFiles.ts'
import { findTraces } from '../io/traceFiles.ts'
import { lookOf } from '../render/look.ts'
import { count } from '../render/numbers.ts'
import { renderPrediction } from '../render/prediction.ts'
import { renderWarnings } from '../render/shared.ts'
import { Destination } from './output.ts'
import { readTraces } from './readTraces.ts'

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
  const traces = await findTraces(names, io)
  const settings = await settingsFiles(flags)
  destination.refuseInputs(traces, '--out')
  destination.refuseInputs(settings, '--out', 'files')
  const progress = new ProgressLine(io.errors)
  try {
    const { profile } = await readTraces(traces, libraries, progress, { sizes: flags.sizes, outputs: { '--out': destination } })
    const points = new ProgressLine(io.errors)
    progress.show(`calibrating, then ${count(question.workers.length * (question.servers?.length ?? 1), 'point')}`)
    const hooks = { onProgress: (state: Progress) => points.showPoints(state) }
    const prediction = await libraries.predict({ ...question, ...(orders && { orders }), profile }, hooks, jobs)
    await points.clear()
    await progress.clear()
    if (format === 'json') await destination.write(renderJson(prediction))
    else if (format === 'csv') {
      await destination.write(predictionCsv(prediction))
      // A spreadsheet has no place for them, and they must not be lost.
      await io.errors.write(renderWarnings(prediction.warnings, lookOf(io.errors, io.environment)))
    } else await destination.write(renderPrediction(prediction, destination.look))
  } finally {
    await progress.clear()
  }
}
