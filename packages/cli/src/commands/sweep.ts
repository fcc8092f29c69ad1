import { availableParallelism } from 'node:os'
import { Grid, parseRedisUrl, type Row } from '@foretrain/sweep'
import { CommandLineError } from '../errors.ts'
import { readClusterFiles } from '../flags/cluster.ts'
import { readOrders } from '../flags/policy.ts'
import { parseJobs } from '../flags/question.ts'
import { parseSweepFlags, parseSweepOutput, policiesOf, type SweepFlags } from '../flags/sweep.ts'
import type { Io } from '../io/io.ts'
import type { Libraries } from '../io/libraries.ts'
import { checkOutputFile } from '../io/outputFile.ts'
import { ProgressLine } from '../io/progress.ts'
import { settingsFiles } from '../io/settingsFiles.ts'
import { readSmallFile } from '../io/smallFile.ts'
import { findTraces } from '../io/traceFiles.ts'
import { lookOf } from '../render/look.ts'
import { renderWarnings } from '../render/shared.ts'
import { SweepChart } from '../render/sweepChart.ts'
import { SweepSummary } from '../render/sweepSummary.ts'
import { blamingPlan, type PlanFile, parsePlanFile } from '../sweep/planFile.ts'
import { openSink, runSweep, type Sweep } from '../sweep/run.ts'
import { readTraces } from './inputs.ts'
import { Destination } from './output.ts'
import { notSvg } from './plan.ts'

/** A plan takes some hundred bytes. */
const mostPlanBytes = 65_536

/** `foretrain sweep`: the throughput of every combination of the given lists, a row each. */
export async function sweepCommand(names: string[], given: SweepFlags, io: Io, libraries: Libraries): Promise<void> {
  const { plan, jobs, settings } = await readPlan(given)
  const output = parseSweepOutput(given)
  const redis = given.redis === undefined ? undefined : parseRedisUrl(given.redis)
  if (redis !== undefined && given.jobs !== undefined)
    throw new CommandLineError('--jobs is for threads of this machine: give it to foretrain work, or leave out --redis')
  const file = output.path === undefined ? undefined : await checkOutputFile(output.path, output.force || output.resume)
  if (given.chart !== undefined && !/\.svg$/i.test(given.chart)) throw notSvg(given.chart)
  const chart = given.chart === undefined ? undefined : await Destination.open(given.chart, output.force || output.resume, io)
  const drawing = chart && new SweepChart(plan.axes)
  const traces = await findTraces(names, io)
  for (const [inputs, what] of [
    [traces, 'traces'],
    [settings, 'files']
  ] as const) {
    if (file !== undefined && !file.special && inputs.some(({ realPath }) => realPath === file.path))
      throw new CommandLineError(`--out ${file.name}: is one of the ${what} to read`)
    chart?.refuseInputs(inputs, '--chart', what)
  }

  const progress = new ProgressLine(io.errors)
  try {
    const { profile } = await readTraces({ traces }, libraries, progress)
    progress.show('calibrating')
    const summary = new SweepSummary(plan.axes)
    const note = (rows: readonly Row[]) => {
      for (const row of rows) {
        summary.add(row)
        drawing?.add(row)
      }
    }
    const sweep: Sweep = { profile, plan, jobs, size: new Grid(plan.axes).size, note }
    const sink = await openSink(sweep, output, file, io)
    const startedMs = performance.now()
    await runSweep(sweep, sink, file, progress, redis)
    await progress.clear()
    if (drawing !== undefined) await chart?.write(drawing.render())
    const results = file === undefined ? io.errors : io.output
    if (given.summary) await results.write(summary.render((performance.now() - startedMs) / 1000, lookOf(results, io.environment)))
    const { failure } = summary
    if (failure !== undefined) await io.errors.write(renderWarnings([failure], lookOf(io.errors, io.environment)))
    if (summary.allFailed) throw new CommandLineError(`no point could be simulated: ${summary.firstError}`)
  } finally {
    await progress.clear()
  }
}

/** What is asked for, by flags and by a plan file; flags go before what the file says. */
async function readPlan(given: SweepFlags) {
  let file: PlanFile | undefined
  if (given.plan !== undefined) {
    if (given.plan === '') throw new CommandLineError('--plan "": write the name of a YAML file')
    file = parsePlanFile(given.plan, await readSmallFile(given.plan, mostPlanBytes))
  }
  const flags: SweepFlags = { ...file?.flags, ...given }
  const clusterFiles = await readClusterFiles(flags)
  const plan = blamingPlan(file, given, () => parseSweepFlags(flags, clusterFiles))
  const orders = await readOrders(policiesOf(plan))
  return {
    plan: { ...plan, common: { ...plan.common, ...(orders && { orders }) } },
    jobs: parseJobs(given) ?? availableParallelism(),
    settings: await settingsFiles(flags)
  }
}
