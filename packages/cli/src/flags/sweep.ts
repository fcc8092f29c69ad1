import type { PolicyName } from '@foretrain/predictor'
import {
  bandwidth,
  delay,
  parseFactor,
  parseMode,
  parsePolicies,
  parsePriority,
  parseQuantity,
  parseWhole,
  quoted
} from '@foretrain/predictor/text'
import type { SweepFormat } from '@foretrain/sweep'
import { mostPoints, type SweepAxes, type SweepPlan } from '@foretrain/sweep/local'
import { CommandLineError } from '../errors.ts'
import type { ClusterFiles } from './cluster.ts'
import { type PredictFlags, parsePredictFlags } from './question.ts'

/** Flags as they stand on the command line: those of `predict`, of which those of a cluster take lists. */
export interface SweepFlags extends PredictFlags {
  plan?: string
  out?: string
  force?: boolean
  resume?: boolean
  chart?: string
  summary?: boolean
  redis?: string
}

export interface SweepOutput {
  /** Undefined: standard output. */
  path: string | undefined
  format: SweepFormat
  force: boolean
  resume: boolean
}

/** Reads the flags that say what is simulated. */
export function parseSweepFlags(flags: SweepFlags, files: ClusterFiles = {}): SweepPlan {
  const { bandwidth: rates, latency, computeSpeed, batch, mode, policy, partition, credit, priorityOrder, ...single } = flags
  if (flags.workers === undefined && flags.cluster === undefined)
    throw new CommandLineError('sweep needs cluster sizes: --workers 1-64, a plan with workers, or --cluster FILE.yaml')
  // Of a list the first stands for all where one flag needs another.
  const { workers, servers, bandwidthBitsPerSecond, latencyUs, ...common } = parsePredictFlags(
    { ...single, ...(rates !== undefined && { bandwidth: itemsOf(rates)[0] }) },
    files
  )
  const policies = policy === undefined ? undefined : parsePolicies(policy)
  const largest = workers[workers.length - 1]
  const axes: SweepAxes = {
    workers,
    ...(servers && { servers }),
    ...listOf(
      'bandwidthBitsPerSecond',
      '--bandwidth',
      rates,
      text => parseQuantity('--bandwidth', text, bandwidth),
      bandwidthBitsPerSecond
    ),
    ...listOf('latencyUs', '--latency', latency, text => parseQuantity('--latency', text, delay), latencyUs),
    ...listOf('computeSpeed', '--compute-speed', computeSpeed, text => parseFactor('--compute-speed', text, 1e-6, 1e6)),
    ...listOf('batchSize', '--batch', batch, text => parseWhole('--batch', text, 1, 1_000_000_000)),
    // Clusters too small for a mode are points that fail; one that suits none is a mistake.
    ...listOf('mode', '--mode', mode, text => parseMode(text, [largest])),
    ...(policies && { policy: policies })
  }
  const priority = parsePriority({ partition, credit, priorityOrder }, (policies ?? []) as string[])
  const points = Object.values(axes).reduce((product, values) => product * values.length, 1)
  if (points > mostPoints)
    throw new CommandLineError(`the lists make ${points} points together: at most ${mostPoints}; shorten one of them`)
  return { common: { ...common, ...(priority && { priority }) }, axes }
}

/** Names of the policies of a plan. */
export function policiesOf({ axes }: SweepPlan): string[] {
  return ((axes.policy ?? []) as PolicyName[]).map(String)
}

/** Reads where the rows go. The ending of the file says the format. */
export function parseSweepOutput({ out, force = false, resume = false }: SweepFlags): SweepOutput {
  if (out === '') throw new CommandLineError('--out "": write the name of a file')
  if (out === undefined || out === '-') {
    if (resume) throw new CommandLineError('--resume needs the file of the interrupted sweep: --out FILE')
    return { path: undefined, format: 'csv', force, resume }
  }
  if (force && resume) throw new CommandLineError('--force and --resume exclude each other: one begins anew, the other goes on')
  const [, ending = ''] = /\.(csv|jsonl|parquet)$/i.exec(out) ?? []
  // What is no file has no name to tell from.
  if (ending === '' && !out.startsWith('/dev/'))
    throw new CommandLineError(`--out ${quoted(out)}: the ending says the format: .csv, .jsonl or .parquet`)
  return { path: out, format: ending === '' ? 'csv' : (ending.toLowerCase() as SweepFormat), force, resume }
}

/** One axis, from a list between commas, else from what a cluster file says for all points; none without both. */
function listOf<Name extends keyof SweepAxes, Value extends string | number>(
  name: Name,
  flag: string,
  text: string | undefined,
  parse: (item: string) => Value,
  otherwise?: Value
): Partial<Record<Name, Value[]>> {
  const result: Partial<Record<Name, Value[]>> = {}
  if (text !== undefined) {
    const values = itemsOf(text).map(parse)
    const twice = values.findIndex((value, i) => values.indexOf(value) !== i)
    if (twice >= 0) throw new CommandLineError(`${flag} ${quoted(text)}: ${itemsOf(text)[twice]} stands there twice`)
    result[name] = values
  } else if (otherwise !== undefined) result[name] = [otherwise]
  return result
}

function itemsOf(text: string): string[] {
  return text.split(',').map(item => item.trim())
}
