import type { Progress } from '@foretrain/predictor'
import { readClusterFiles } from '../flags/cluster.ts'
import { type CompareFlags, parseCompareFlags } from '../flags/compare.ts'
import { type OutputFlags, parseOutputFlags } from '../flags/output.ts'
import { readOrders } from '../flags/policy.ts'
import { parseJobs } from '../flags/question.ts'
import type { Io } from '../io/io.ts'
import type { Libraries } from '../io/libraries.ts'
import { ProgressLine } from '../io/progress.ts'
import { renderComparison } from '../render/comparison.ts'
import { renderComparisonCsv } from '../render/comparisonCsv.ts'
import { findInputs, readTraces } from './inputs.ts'
import { Destination, writeDocument } from './output.ts'

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
  const inputs = await findInputs(names, flags, { '--out': destination }, io)
  const progress = new ProgressLine(io.errors)
  try {
    const { profile } = await readTraces(inputs, libraries, progress)
    progress.show(`calibrating, then ${question.policies.length} policies`)
    const hooks = { onProgress: ({ done, total }: Progress) => progress.show(`${done} of at most ${total} replications`) }
    const comparison = await libraries.compare({ ...question, ...(orders && { orders }), profile }, hooks, jobs)
    await progress.clear()
    await writeDocument(comparison, format, { csv: renderComparisonCsv, table: renderComparison }, destination, io)
  } finally {
    await progress.clear()
  }
}
