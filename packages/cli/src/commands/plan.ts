import { quoted } from '@foretrain/predictor/text'
import { CommandLineError } from '../errors.ts'
import { readClusterFiles } from '../flags/cluster.ts'
import { type OutputFlags, parseOutputFlags } from '../flags/output.ts'
import { type PlanFlags, parsePlanFlags } from '../flags/plan.ts'
import { parseJobs } from '../flags/question.ts'
import type { Io } from '../io/io.ts'
import type { Libraries } from '../io/libraries.ts'
import { ProgressLine } from '../io/progress.ts'
import { count } from '../render/numbers.ts'
import { renderPlan } from '../render/plan.ts'
import { renderPlanChart } from '../render/planChart.ts'
import { renderPlanCsv } from '../render/planCsv.ts'
import { findInputs, readTraces } from './inputs.ts'
import { Destination, writeDocument } from './output.ts'

/** `foretrain plan`: the cheapest cluster that meets a target. That there is none is an answer too. */
export async function planCommand(names: string[], flags: PlanFlags & OutputFlags, io: Io, libraries: Libraries): Promise<void> {
  const asked = parsePlanFlags(flags, await readClusterFiles(flags))
  const jobs = parseJobs(flags)
  const { format, path, force } = parseOutputFlags(flags, ['table', 'json', 'csv'])
  if (flags.chart === '' || flags.chart === '-') throw notSvg(flags.chart)
  const destination = await Destination.open(path, force, io)
  const chart = flags.chart === undefined ? undefined : await Destination.open(flags.chart, force, io)
  if (chart?.isSameFile(destination)) throw new CommandLineError('--chart and --out name the same file: give each its own')
  const inputs = await findInputs(names, flags, { '--out': destination, '--chart': chart }, io)
  if (flags.chart !== undefined && !/\.svg$/i.test(flags.chart)) throw notSvg(flags.chart)
  const progress = new ProgressLine(io.errors)
  try {
    const { profile } = await readTraces(inputs, libraries, progress)
    const points = new ProgressLine(io.errors)
    progress.show('calibrating, then simulating')
    const plan = await libraries.plan(
      { ...asked, question: { ...asked.question, profile } },
      {
        onProgress: state => {
          if (state.searching) points.show(`${count(state.done, 'point')}, searching at ${count(state.workers, 'worker')}`)
          else points.showPoints(state)
        }
      },
      jobs
    )
    await points.clear()
    await progress.clear()
    if (chart !== undefined) await chart.write(renderPlanChart(plan))
    await writeDocument(plan, format, { csv: renderPlanCsv, table: renderPlan }, destination, io)
  } finally {
    await progress.clear()
  }
}

export function notSvg(name: string): CommandLineError {
  return new CommandLineError(`--chart ${quoted(name)}: write the name of a file that ends in .svg`)
}
