import { bursts, delays, fail, mostCores, mostWorkers, positive, rates, speeds, wholeNumber, within } from './checks.ts'
import { checkHosts } from './hosts/checkHosts.ts'
import { modeProblem } from './mode.ts'
import { checkPolicy } from './policies/policyOf.ts'
import type { Question } from './question.ts'

const transports = ['auto', 'grpc-tf1', 'grpc-tf2', 'whole', 'simple']

const byteCosts = { least: 0, most: 1, unit: 'µs per byte' }

/** @throws QuestionError at the first field that cannot be used, with what would be right */
export function checkQuestion(question: Question): void {
  if (question.profile?.schema !== 'foretrain/profile@1') fail('profile', 'is not a profile', 'schema "foretrain/profile@1"')
  if (question.profile.steps.length === 0) fail('profile', 'holds no step', 'at least one recorded step')
  if (!Array.isArray(question.workers) || question.workers.length === 0) fail('workers', 'is empty', 'at least one cluster size')
  for (const workers of question.workers) wholeNumber('number of workers', workers, 1, mostWorkers)

  within('bandwidth', question.bandwidthBitsPerSecond, rates)
  within('traced bandwidth', question.tracedBandwidthBitsPerSecond, rates)
  within('step time', question.stepTimeUs, { least: 1, most: 1e12, unit: 'µs' })
  within('compute speed', question.computeSpeed, speeds)
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
  if (question.serverCores !== undefined) wholeNumber('number of cores of a server', question.serverCores, 1, mostCores)
  if (question.seed !== undefined) wholeNumber('seed', question.seed, 0, 2 ** 32 - 1)
  const { precision, fixed } = question
  if (precision !== undefined && !(precision > 0 && precision < 1))
    fail('precision', `is ${precision}`, 'a share between 0 and 1, such as 0.01')
  if (fixed) {
    wholeNumber('number of replications', fixed.replications, 1, 10_000)
    wholeNumber('number of measured steps per worker', fixed.steps, 1, 1_000_000)
  }

  checkHosts(question)
  checkPolicy(question)
  if (question.transport !== undefined && !transports.includes(question.transport)) {
    fail('transport', `is ${question.transport}`, transports.join(', '))
  }
  const problem = question.mode && modeProblem(question.mode, question.workers)
  if (problem) fail('mode', problem.what, problem.wanted)
  if (question.straggler) {
    within('straggler probability', question.straggler.probability, { least: 0, most: 1, unit: 'of the steps' })
    within('straggler factor', question.straggler.factor, { least: 1, most: 1e6, unit: 'times' })
  }
}
