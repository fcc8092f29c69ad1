import { type Question, QuestionError } from './question.ts'
import type { Mode } from './schema.ts'

const transports = ['auto', 'grpc-tf1', 'grpc-tf2', 'whole', 'simple']
/** Every mode there is a name for. */
export const modePattern = /^(async|sync|sync:backup=\d+|ssp:\d+|ssp:inf)$/
const mostWorkers = 100_000

/** @throws QuestionError at the first field that cannot be used, with what would be right */
export function checkQuestion(question: Question): void {
  if (question.profile?.schema !== 'foretrain/profile@1') fail('profile', 'is not a profile', 'schema "foretrain/profile@1"')
  if (question.profile.steps.length === 0) fail('profile', 'holds no step', 'at least one recorded step')
  if (!Array.isArray(question.workers) || question.workers.length === 0) fail('workers', 'is empty', 'at least one cluster size')
  for (const workers of question.workers) wholeNumber('workers', workers, 1, mostWorkers)

  positive('bandwidth', question.bandwidthBitsPerSecond)
  positive('traced bandwidth', question.tracedBandwidthBitsPerSecond)
  positive('step time', question.stepTimeUs)
  positive('window', question.windowBytes)
  positive('batch', question.batchSize)
  positive('payload fraction', question.payloadFraction)
  notNegative('latency', question.latencyUs)
  notNegative('traced latency', question.tracedLatencyUs)
  notNegative('buffer', question.bufferUs)
  notNegative('burst', question.burstBytes)
  for (const [worker, factor] of Object.entries(question.computeSlowdown ?? {})) {
    wholeNumber('worker of a compute slowdown', Number(worker), 0, mostWorkers - 1)
    positive(`compute slowdown of worker ${worker}`, factor)
  }
  if (question.tracedWorker !== undefined) wholeNumber('traced worker', question.tracedWorker, 0, mostWorkers - 1)
  notNegative('ramp', question.rampUs)
  notNegative('parse cost', question.parsePerByteUs)
  if (question.serverCores !== undefined) wholeNumber('server cores', question.serverCores, 1, 65_535)
  if (question.seed !== undefined) wholeNumber('seed', question.seed, 0, 2 ** 32 - 1)
  const { precision, fixed } = question
  if (precision !== undefined && !(precision > 0 && precision < 1))
    fail('precision', `is ${precision}`, 'a share between 0 and 1, such as 0.01')
  if (fixed) {
    wholeNumber('replications', fixed.replications, 1, 10_000)
    wholeNumber('steps', fixed.steps, 1, 1_000_000)
  }

  if (question.policy !== undefined && question.policy !== 'recorded') fail('policy', `is ${question.policy}`, 'recorded')
  if (question.transport !== undefined && !transports.includes(question.transport)) {
    fail('transport', `is ${question.transport}`, transports.join(', '))
  }
  if (question.mode !== undefined && !modePattern.test(question.mode)) {
    fail('mode', `is ${question.mode}`, 'async, sync, sync:backup=N, ssp:N or ssp:inf')
  }
  if (question.mode !== undefined && !isSimulated(question.mode)) {
    fail('mode', `is ${question.mode}, which is not simulated yet`, 'async')
  }
}

/** Whether workers that wait for each other in this way can be simulated. ssp:inf bounds nothing, so it is the asynchronous mode. */
export function isSimulated(mode: Mode): boolean {
  return mode === 'async' || mode === 'ssp:inf'
}

function wholeNumber(field: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most)
    fail(field, `is ${value}`, `a whole number from ${least} to ${most}`)
}

function positive(field: string, value: number | undefined): void {
  if (value !== undefined && !(value > 0 && value < Number.POSITIVE_INFINITY)) fail(field, `is ${value}`, 'a positive number')
}

function notNegative(field: string, value: number | undefined): void {
  if (value !== undefined && !(value >= 0 && value < Number.POSITIVE_INFINITY))
    fail(field, `is ${value}`, 'zero or a positive number')
}

function fail(field: string, what: string, wanted: string): never {
  throw new QuestionError(`${field} ${what}: use ${wanted}`)
}
