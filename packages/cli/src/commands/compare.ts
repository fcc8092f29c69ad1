import type { Progress } from '@foretrain/predictor'
import { renderJson } from '@foretrain/predictor/text'
import { readClusterFiles } from '../flags/cluster.ts'
import { type CompareFlags, parseCompareFlags } from '../flags/compare.ts'
import { type OutputFlags, parseOutputFlags } from '../flags/output.ts'
import { readOrders } from '../flags/policy.ts'
import { parseJobs } from '../flags/question.ts'
import type { Io } from '../io/io.ts'
import type { Libraries } from '../io/libraries.ts'
import { ProgressLine } from '../io/progress.ts'
import { settingsFiles } from '../io/settingsFiles.ts'
import { findTraces } from '../io/traceFiles.ts'
import { renderComparison } from '../render/comparison.ts'
import { renderComparisonCsv } from '../render/comparisonCsv.ts'
import { lookOf } from '../render/look.ts'
import { renderWarnings } from '../render/shared.ts'
import { Destination } from './output.ts'
import { readTraces } from './readTraces.ts'

/** `foretrain compare`: orders of the transfers against each other, on one cluster. */
export async function compareCommand(
  names: string[],
  flags: CompareFlags & OutputFlags,
  io: Io,
  libraries: Libraries
): Promise<void> {
  const question = parseCompareFlags(flags, await readClusterFiles(flags))
  const jobs = parseJobs(flags)
  const { format, path, force } = parseOutputFlags(flags, ['table', 'json', 'csv'])
  const destination = await Destination.open(path, force, io)
  const orders = await readOrders(question.policies.map(String))
  const traces = await findTraces(names, io)
  const settings = await settingsFiles(flags)
  destination.refuseInputs(traces, '--out')
  destination.refuseInputs(settings, '--out', 'files')
  const progress = new ProgressLine(io.errors)
  try {
    const { profile } = await readTraces(traces, libraries, progress, { sizes: flags.sizes, outputs: { '--out': destination } })
    progress.show(`calibrating, then ${question.policies.length} policies`)
    const hooks = { onProgress: ({ done, total }: Progress) => progress.show(`${done} of at most ${total} replications`) }
    const comparison = await libraries.compare({ ...question, ...(orders && { orders }), profile }, hooks, jobs)
    await progress.clear()
    if (format === 'json') await destination.write(renderJson(comparison))
    else if (format === 'csv') {
      await destination.write(renderComparisonCsv(comparison))
      await io.errors.write(renderWarnings(comparison.warnings, lookOf(io.errors, io.environment)))
    } else await destination.write(renderComparison(comparison, destination.look))
  } finally {
    await progress.clear()
  }
}
