import { hasPriority } from './chunkQueues.ts'
import { type Cluster, type Job, type Mode, type Nic, OperationKind } from './job.ts'
import { SimulationError } from './simulationError.ts'

const MOST_SLOTS = 65536
/** Of one transfer. More are hardly meant, and the core counts them. */
const MOST_CHUNKS = 2 ** 20
/** The core keeps a counter for each step that a worker may be ahead. */
const MOST_STALENESS = 1_000_000
/** Events carry the worker in 27 bits. */
const MOST_WORKERS = 2 ** 27 - 1

/** Of a field. Those of thousands of workers would take longer to write than all else, so each is written when it is needed. */
type Name = string | (() => string)

function written(name: Name): string {
  return typeof name === 'string' ? name : name()
}

/** Throws SimulationError naming the first field that cannot be simulated. */
export function checkCluster(cluster: Cluster, job: Job): void {
  const { workers, servers } = cluster
  const whole = (name: string, value: number, most: number) => {
    if (!(Number.isInteger(value) && value >= 1 && value <= most))
      throw new SimulationError(`${name} is ${value}: 1 to ${most} are possible`)
  }
  const amount = (name: Name, value: number) => {
    if (!(value >= 0 && value < Infinity))
      throw new SimulationError(`${written(name)} is ${value}: a finite number, 0 or more, is needed`)
  }
  const positive = (name: Name, value: number) => {
    if (!(value > 0)) throw new SimulationError(`${written(name)} is ${value}: more than 0 is needed`)
  }
  const below = (name: string, value: number, bound: number) => {
    if (!(value < bound)) throw new SimulationError(`${name} is ${value}: less than ${bound} is needed`)
  }
  const atMost = (name: Name, value: number, bound: number) => {
    if (!(value <= bound)) throw new SimulationError(`${written(name)} is ${value}: at most ${bound} is possible`)
  }
  whole('the number of workers', workers.length, MOST_WORKERS)
  whole('the number of servers', servers.length, 65535)
  whole('computeSlots', cluster.computeSlots, MOST_SLOTS)
  whole('updateSlots', cluster.updateSlots, MOST_SLOTS)
  for (const side of ['workerParse', 'serverParse'] as const) {
    whole(`${side}.slots`, cluster[side].slots, MOST_SLOTS)
    amount(`${side}.perByteUs`, cluster[side].perByteUs)
    amount(`${side}.fixedUs`, cluster[side].fixedUs)
  }
  positive('turns.first', cluster.turns.first)
  positive('turns.later', cluster.turns.later)
  amount('stepOverheadUs', cluster.stepOverheadUs)
  amount('ackFraction', cluster.ackFraction)
  for (const direction of ['pull', 'push'] as const) {
    for (const [i, row] of (cluster.shares?.[direction] ?? []).entries()) {
      const name = `shares.${direction}[${i}]`
      positive(`${name}.startWeight`, row.startWeight)
      atMost(`${name}.startWeight`, row.startWeight, 1)
      amount(`${name}.rampUs`, row.rampUs)
      amount(`${name}.spread`, row.spread)
      below(`${name}.spread`, row.spread, 1)
    }
  }
  amount('startDelayUs.pull', cluster.startDelayUs?.pull ?? 0)
  amount('startDelayUs.push', cluster.startDelayUs?.push ?? 0)
  amount('queueUs.pull', cluster.queueUs?.pull ?? 0)
  amount('queueUs.push', cluster.queueUs?.push ?? 0)
  amount('burstBytes', cluster.burstBytes ?? 0)
  positive('flowBytesPerUs', cluster.flowBytesPerUs ?? Infinity)
  if (cluster.serverMessage !== undefined) {
    whole('serverMessage.slots', cluster.serverMessage.slots, MOST_SLOTS)
    amount('serverMessage.pullPerByteUs', cluster.serverMessage.pullPerByteUs)
    amount('serverMessage.pullFixedUs', cluster.serverMessage.pullFixedUs)
    const { slots } = cluster.serverParse
    if (cluster.sharedServerCpu === true && cluster.serverMessage.slots !== slots)
      throw new SimulationError(
        `serverMessage.slots is ${cluster.serverMessage.slots}: with sharedServerCpu it is serverParse.slots, ${slots}`
      )
  }
  if (cluster.priority !== undefined) {
    const { partitionBytes, creditBytes } = cluster.priority
    positive('priority.partitionBytes', partitionBytes)
    positive('priority.creditBytes', creditBytes)
    amount('priority.chunkUs', cluster.priority.chunkUs)
    if (partitionBytes < Infinity && creditBytes < partitionBytes)
      throw new SimulationError(`priority.creditBytes is ${creditBytes}: at least partitionBytes, ${partitionBytes}, is needed`)
    job.amount.forEach((bytes, i) => {
      if (hasPriority(cluster, job.kind[i % job.operations]) && bytes > MOST_CHUNKS * partitionBytes)
        throw new SimulationError(
          `priority.partitionBytes is ${partitionBytes}: operation ${i % job.operations} has ${bytes} bytes, and at most ${MOST_CHUNKS} chunks are possible`
        )
    })
  }
  checkMode(cluster.mode, workers.length)
  for (const [i, worker] of workers.entries()) {
    if (worker.straggler !== undefined) {
      amount(() => `worker ${i}'s straggler.probability`, worker.straggler.probability)
      atMost(() => `worker ${i}'s straggler.probability`, worker.straggler.probability, 1)
      amount(() => `worker ${i}'s straggler.factor`, worker.straggler.factor)
    }
    positive(() => `worker ${i}'s outBytesPerUs`, worker.outBytesPerUs)
    positive(() => `worker ${i}'s inBytesPerUs`, worker.inBytesPerUs)
    amount(() => `worker ${i}'s computeScale`, worker.computeScale)
    amount(() => `worker ${i}'s latencyUs`, worker.latencyUs)
  }
  for (const [i, server] of servers.entries()) {
    positive(`server ${i}'s outBytesPerUs`, server.outBytesPerUs)
    positive(`server ${i}'s inBytesPerUs`, server.inBytesPerUs)
    amount(`server ${i}'s updateScale`, server.updateScale)
    if (server.updateSlots !== undefined) whole(`server ${i}'s updateSlots`, server.updateSlots, MOST_SLOTS)
  }
  positive('loopbackBytesPerUs', cluster.loopbackBytesPerUs ?? Infinity)
  if (cluster.colocate === true) {
    for (let i = 0; i < Math.min(workers.length, servers.length); i++) checkHost(i, workers[i], servers[i])
  }
  for (let i = 0; i < job.operations; i++) {
    const placed = job.kind[i] === OperationKind.update || job.kind[i] === OperationKind.pull || job.kind[i] === OperationKind.push
    if (placed && job.server[i] >= servers.length) {
      throw new SimulationError(`operation ${i} belongs to server ${job.server[i]} of ${servers.length}`)
    }
  }
}

function checkMode(mode: Mode = { kind: 'async' }, workers: number): void {
  const whole = (name: string, value: number, most: number) => {
    if (!(Number.isInteger(value) && value >= 0 && value <= most))
      throw new SimulationError(`${name} is ${value}: 0 to ${most} are possible`)
  }
  if (mode.kind === 'ssp' && mode.staleness !== Infinity) whole('mode.staleness', mode.staleness, MOST_STALENESS)
  if (mode.kind !== 'sync') return
  whole('mode.backup', mode.backup, workers - 1)
  if (!(mode.accumulateScale >= 0 && mode.accumulateScale < Infinity))
    throw new SimulationError(`mode.accumulateScale is ${mode.accumulateScale}: a finite number, 0 or more, is needed`)
}

function checkHost(index: number, worker: Nic, server: Nic): void {
  for (const field of ['outBytesPerUs', 'inBytesPerUs'] as const) {
    if (worker[field] === server[field]) continue
    throw new SimulationError(
      `server ${index}'s ${field} is ${server[field]}: on worker ${index}'s host it is that worker's, ${worker[field]}`
    )
  }
}

/** False when no connection could get more than its limit anyway. With one server the limit is one of the workers' links. */
export function flowLimitMatters(cluster: Cluster): boolean {
  const { flowBytesPerUs = Infinity } = cluster
  return cluster.servers.some(server => flowBytesPerUs < server.outBytesPerUs || flowBytesPerUs < server.inBytesPerUs)
}

/**
 * False when a worker's link can never make a difference: it is at least as fast as all server links that feed it together. Acknowledgements
 * do not change that with one server (whenever they slow the worker's link they slow the server's); with several, the link must have that in
 * hand.
 */
export function workerLinksMatter(cluster: Cluster): boolean {
  if (cluster.colocate === true || flowLimitMatters(cluster)) return true
  const several = cluster.servers.length > 1
  const total = (rates: number[]) => rates.reduce((sum, rate) => sum + rate, 0)
  const margin = several ? 1 + cluster.ackFraction : 1
  const pull = total(cluster.servers.map(server => server.outBytesPerUs)) * margin
  const push = total(cluster.servers.map(server => server.inBytesPerUs)) * margin
  return cluster.workers.some(worker => worker.inBytesPerUs < pull || worker.outBytesPerUs < push)
}
