import type { ClusterQuestion, PlanQuestion, Target } from '@foretrain/predictor'
import { parseQuantity, type Quantity, quoted } from '@foretrain/predictor/text'
import { CommandLineError } from '../errors.ts'
import type { ClusterFiles } from './cluster.ts'
import { type PredictFlags, parsePredictFlags } from './question.ts'

/** Flags as they stand on the command line; those of `predict` describe the clusters. */
export interface PlanFlags extends PredictFlags {
  target?: string
  price?: string
  knee?: string
  chart?: string
}

const rate: Quantity = {
  name: 'throughput',
  units: { 'examples/s': 1, 'steps/s': 1 },
  example: '500examples/s',
  smallest: [1e-6, '0.000001'],
  largest: [1e12, '1000000000000']
}

/** A fraction; not 0. */
const kneeShare: Quantity = {
  name: 'share',
  units: { '%': 0.01 },
  example: '50%',
  smallest: [0.001, '0.1%'],
  largest: [1, '100%']
}

const priceExample = '--price worker=0.90,server=0.20'
const highestPrice = 1e9
/** Workers of a cluster file of which every number is tried. */
const mostOfFile = 64

/** Reads the flags of `plan` into a question that lacks only its profile. Absent flags stay absent: the predictor knows the defaults. */
export function parsePlanFlags(
  flags: PlanFlags,
  files: ClusterFiles = {}
): Omit<PlanQuestion, 'question'> & { question: Omit<ClusterQuestion, 'profile'> } {
  if (flags.target === undefined) throw new CommandLineError('plan needs a target: --target 500examples/s or 20steps/s')
  if (flags.price === undefined) throw new CommandLineError(`plan needs the cost of a host an hour: ${priceExample}`)
  const target = parseTarget(flags.target)
  const prices = parsePrices(flags.price)
  const knee = flags.knee === undefined ? undefined : parseQuantity('--knee', flags.knee, kneeShare)
  const { sizes, ...question } = clustersOf(flags, files)
  return {
    question,
    target,
    prices,
    ...(sizes && { workers: sizes }),
    ...(knee === undefined ? {} : { kneeShare: knee })
  }
}

/** Without sizes the predictor searches for them, and a question has to name one all the same; of the hosts of a file there are only so many. */
function clustersOf(flags: PlanFlags, files: ClusterFiles): Omit<ClusterQuestion, 'profile'> & { sizes?: number[] } {
  if (flags.workers !== undefined) {
    const { workers, ...question } = parsePredictFlags(flags, files)
    return { ...question, sizes: workers }
  }
  if (flags.cluster === undefined) {
    const { workers: _, ...question } = parsePredictFlags({ ...flags, workers: '1' }, files)
    return question
  }
  const { workers, ...question } = parsePredictFlags(flags, files)
  if (workers[0] > mostOfFile)
    throw new CommandLineError(
      `--cluster "${flags.cluster}": has ${workers[0]} workers: name the sizes to choose from with --workers`
    )
  return { ...question, sizes: Array.from({ length: workers[0] }, (_, i) => i + 1) }
}

function parseTarget(text: string): Target {
  const value = parseQuantity('--target', text, rate)
  return { value, unit: text.trimEnd().endsWith('steps/s') ? 'steps/s' : 'examples/s' }
}

/** Reads "worker=0.90,server=0.20", in either order, each once. */
function parsePrices(text: string): PlanQuestion['prices'] {
  const fail = (reason: string): never => {
    throw new CommandLineError(`--price ${quoted(text)}: ${reason}, such as ${priceExample}`)
  }
  const prices = new Map<string, number>()
  for (const item of text.split(',')) {
    const [, host, digits] = /^\s*([^=]*?)\s*=\s*(.*?)\s*$/s.exec(item) ?? fail('write host=number for worker and server')
    if (host !== 'worker' && host !== 'server') fail(`unknown host ${quoted(host)}; accepted: worker, server`)
    if (prices.has(host)) fail(`${host} stands there twice; give it once`)
    const price = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)$/.test(digits) ? Number(digits) : Number.NaN
    if (Number.isNaN(price)) fail(`${host}=${digits} is no price; write a number without a currency`)
    if (!(price >= 0 && price <= highestPrice)) fail(`${host}=${digits}: must be between 0 and ${highestPrice}`)
    prices.set(host, price)
  }
  const of = (host: string) => prices.get(host) ?? fail(`the price of a ${host} is missing; add it, ${host}=0 if it costs nothing`)
  const [worker, server] = [of('worker'), of('server')]
  if (worker === 0 && server === 0) fail('one of the hosts must cost something')
  return { worker, server }
}
