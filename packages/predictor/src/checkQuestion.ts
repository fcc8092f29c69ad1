import { modeProblem } from './mode.ts'
import { type Question, QuestionError } from './question.ts'

const transports = ['auto', 'grpc-tf1', 'grpc-tf2', 'whole', 'simple']
export const mostWorkers = 100_000

interface Range {
  least: number
  most: number
  unit: string
}

/** Beyond these a simulation is of nothing real, and may never end. */
export const rates: Range = { least: 1e3, most: 1e15, unit: 'bit/s' }
export const bursts: Range = { least: 0, most: 1e15, unit: 'bytes' }
export const delays: Range = { least: 0, most: 3.6e9, unit: 'µs' }
const byteCosts: Range = { least: 0, most: 1, unit: 'µs per byte' }

/** @throws QuestionError at the first field that cannot be used, with what would be right */
export function checkQuestion(question: Question): void {
  if (question.profile?.schema !== 'foretrain/profile@1') fail('profile', 'is not a profile', 'schema "foretrain/profile@1"')
  if (question.profile.steps.length === 0) fail('profile', 'holds no step', 'at least one recorded step')
  if (!Array.isArray(question.workers) || question.workers.length === 0) fail('workers', 'is empty', 'at least one cluster size')
  for (const workers of question.workers) wholeNumber('number of workers', workers, 1, mostWorkers)

  within('bandwidth', question.bandwidthBitsPerSecond, rates)
  within('traced bandwidth', question.tracedBandwidthBitsPerSecond, rates)
  within('step time', question.stepTimeUs, { least: 1, most: 1e12, unit: 'µs' })
  within('window', question.windowBytes, { least: 1e3, most: 1e15, unit: 'bytes' })
  positive('batch size', question.batchSize)
  positive('payload fraction', question.payloadFraction)
  within('latency', question.latencyUs, delays)
  within('traced latency', question.tracedLatencyUs, delays)
  within('buffer', question.bufferUs, delays)
  within('burst', question.burstBytes, bursts)
  within('free burst', question.freeBurstBytes, bursts)
  within('flow limit', question.flowLimitBitsPerSecond, rates)
  for (const [worker, factor] of Object.entries(question.computeSlowdown ?? {})) {
    wholeNumber('worker of a compute slowdown', Number(worker), 0, mostWorkers - 1)
    positive(`compute slowdown of worker ${worker}`, factor)
  }
  if (question.tracedWorker !== undefined) wholeNumber('traced worker', question.tracedWorker, 0, mostWorkers - 1)
  within('ramp', question.rampUs, delays)
  within('parse cost', question.parsePerByteUs, byteCosts)
  within('message cost', question.serverMessageUs, delays)
  within('byte cost', question.serverPerByteUs, byteCosts)
  if (question.serverCores !== undefined) wholeNumber('number of cores of a server', question.serverCores, 1, 65_535)
  if (question.seed !== undefined) wholeNumber('seed', question.seed, 0, 2 ** 32 - 1)
  const { precision, fixed } = question
  if (precision !== undefined && !(precision > 0 && precision < 1))
    fail('precision', `is ${precision}`, 'a share between 0 and 1, such as 0.01')
  if (fixed) {
    wholeNumber('number of replications', fixed.replications, 1, 10_000)
    wholeNumber('number of measured steps per worker', fixed.steps, 1, 1_000_000)
  }

  if (question.policy !== undefined && question.policy !== 'recorded') fail('policy', `is ${question.policy}`, 'recorded')
  if (question.transport !== undefined && !transports.includes(question.transport)) {
    fail('transport', `is ${question.transport}`, transports.join(', '))
  }
  const problem = question.mode && modeProblem(question.mode, question.workers)
  if (problem) fail('mode', problem.what, problem.wanted)
  if (question.straggler) {
    within('straggler probability', question.straggler.probability, { least: 0, most: 1, unit: 'of the steps' })
    within('straggler factor', question.straggler.factor, { least: 0, most: 1e6, unit: 'times' })
  }
}

function wholeNumber(field: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most)
    fail(field, `is ${value}`, `a whole number from ${least} to ${most}`)
}

function positive(field: string, value: number | undefined): void {
  if (value !== undefined && !(value > 0 && value < Number.POSITIVE_INFINITY)) fail(field, `is ${value}`, 'a positive number')
}

function within(field: string, value: number | undefined, { least, most, unit }: Range): void {
  if (value !== undefined && !(value >= least && value <= most))
    fail(field, `is ${value} ${unit}`, `a number from ${least} to ${most} ${unit}`)
}

function fail(field: string, what: string, wanted: string): never {
  throw new QuestionError(`${field} ${what}: use ${wanted}`)
}
