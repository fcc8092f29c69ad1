import { type Cluster, type Job, type LogEntry, OperationKind } from '../../src/job.ts'
import { randomSeed, STRAGGLE_STREAMS } from '../../src/randomSeed.ts'
import type { Outcome, SimulateOptions, Step } from '../support/outcome.ts'
import { Agenda, EventClass } from './agenda.ts'
import type { Direction } from './connection.ts'
import { Network } from './network.ts'
import { Rounds, Staleness } from './rounds.ts'
import { MessageStation, Station } from './stations.ts'
import { Worker } from './worker.ts'
import { Xoshiro } from './xoshiro.ts'

const CLEAR_GAP_US = 1

interface ReferenceOptions extends SimulateOptions {
  /** When each worker begins its first step. Default: all at 0. */
  startUs?: readonly number[]
}

interface ReferenceOutcome extends Outcome {
  /**
   * From here on rounding may have decided the order of events: two of them, neither of which led to the other, lay within a
   * microsecond. Infinity if that never happened.
   */
  clearUntilUs: number
}

/**
 * The simulator in its slowest and most obvious form, as described in docs/semantics.md: the measure of the fast one.
 * Templates are played in order.
 */
export function simulateByReference(job: Job, cluster: Cluster, options: ReferenceOptions): ReferenceOutcome {
  const agenda = new Agenda()
  const network = new Network(agenda, cluster, options.seed ?? 1)
  const compute = cluster.workers.map(() => new Station(agenda, EventClass.compute, cluster.computeSlots))
  const update = cluster.servers.map(({ updateSlots = cluster.updateSlots }) => new Station(agenda, EventClass.update, updateSlots))
  const workerParse = cluster.workers.map(() => new MessageStation(cluster.workerParse.slots))
  const serverParse = cluster.servers.map(() => new MessageStation(cluster.serverParse.slots))
  const pullCost = cluster.serverMessage ?? { slots: 1, pullPerByteUs: 0, pullFixedUs: 0 }
  const prepare = cluster.sharedServerCpu ? serverParse : cluster.servers.map(() => new MessageStation(pullCost.slots))
  const steps: Step[] = []
  const log: LogEntry[] = []
  const logWorkers = options.logWorkers ?? cluster.workers.length

  const { mode = { kind: 'async' } } = cluster
  const nowUs = () => agenda.nowUs
  const rounds = new Rounds(job, cluster.workers.length - (mode.kind === 'sync' ? mode.backup : 0), nowUs)
  const staleness = new Staleness(cluster.workers.length, mode.kind === 'ssp' ? mode.staleness : Infinity, nowUs)
  const straggling = cluster.workers.map((_, w) => new Xoshiro(randomSeed(options.seed ?? 1, 0, STRAGGLE_STREAMS + w)))

  /** A gradient is added up by its server if its round takes it; the last one is followed by the update. */
  function handIn(accumulateScale: number, worker: Worker, operation: number, entry: LogEntry): void {
    const station = update[job.server[operation]]
    const updateUs = worker.amount(operation) * cluster.servers[job.server[operation]].updateScale
    const where = { worker: worker.index, eventClass: EventClass.round }
    if (!rounds.take(worker, operation)) {
      const happen = () => worker.complete(operation, entry)
      agenda.add({ ...where, timeUs: agenda.nowUs, operation: 4 * operation + 2, happen })
      return
    }
    station.add({
      ...where,
      operation: 4 * operation,
      durationUs: updateUs * accumulateScale,
      started: () => {
        entry.startUs = entry.wireEndUs = agenda.nowUs
      },
      done: () => {
        const done = () => rounds.complete(operation)
        const run = { ...where, operation: 4 * operation + 1, durationUs: updateUs, started: () => {}, done }
        if (rounds.add(operation)) station.add(run)
        worker.complete(operation, entry)
      }
    })
  }

  /** A push that no update waits for has arrived. */
  function count(worker: Worker, operation: number): void {
    if (rounds.take(worker, operation) && rounds.add(operation)) rounds.complete(operation)
  }

  function occupy(station: Station, durationUs: number, worker: Worker, operation: number, entry: LogEntry): void {
    station.add({
      worker: worker.index,
      operation,
      durationUs,
      started: () => {
        entry.startUs = entry.wireEndUs = agenda.nowUs
      },
      done: () => worker.complete(operation, entry)
    })
  }

  function transfer(direction: Direction, worker: Worker, operation: number, entry: LogEntry): void {
    const server = job.server[operation]
    const bytes = Math.max(0, worker.amount(operation))
    const messages = job.messages?.[operation] ?? 1
    const parse = direction === 'pull' ? workerParse[worker.index] : serverParse[server]
    const { perByteUs, fixedUs } = direction === 'pull' ? cluster.workerParse : cluster.serverParse
    const stream = {
      operation,
      bytes,
      messages,
      firstTurnBytes: worker.firstTurnBytes(operation) ?? cluster.turns.first,
      priority: job.priority?.[operation] ?? 0,
      restBytes: bytes,
      lastTurnStartUs: -Infinity,
      firstByteUs: 0,
      sent: () => {
        entry.startUs = stream.firstByteUs
        entry.wireEndUs = agenda.nowUs
        const latencyUs = cluster.colocate && server === worker.index ? 0 : cluster.workers[worker.index].latencyUs
        const timeUs = parse.endUs(agenda.nowUs + latencyUs, perByteUs * bytes + messages * fixedUs)
        const isCounted = mode.kind === 'sync' && direction === 'push' && rounds.gradients.includes(operation)
        const counts = { eventClass: EventClass.round, worker: worker.index, operation: 4 * operation + 3 }
        const happen = () => {
          worker.complete(operation, entry)
          if (isCounted) agenda.add({ ...counts, timeUs: agenda.nowUs, happen: () => count(worker, operation) })
        }
        agenda.add({ timeUs, eventClass: EventClass.parse, worker: worker.index, operation, isRounded: true, happen })
      }
    }
    const send = () => network.send(direction, worker.index, server, stream)
    const costUs = direction === 'pull' ? pullCost.pullPerByteUs * bytes + messages * pullCost.pullFixedUs : 0
    if (costUs === 0) {
      send()
      return
    }
    const timeUs = prepare[server].endUs(agenda.nowUs, costUs)
    agenda.add({
      timeUs,
      eventClass: EventClass.release,
      worker: worker.index,
      operation: 1 + operation,
      isRounded: true,
      happen: send
    })
  }

  function start(worker: Worker, operation: number, entry: LogEntry): void {
    const amount = worker.amount(operation)
    const server = job.server[operation]
    const kind = job.kind[operation]
    if (kind === OperationKind.compute) occupy(compute[worker.index], amount * worker.computeScale, worker, operation, entry)
    else if (kind === OperationKind.update && mode.kind === 'sync') handIn(mode.accumulateScale, worker, operation, entry)
    else if (kind === OperationKind.update)
      occupy(update[server], amount * cluster.servers[server].updateScale, worker, operation, entry)
    else if (kind === OperationKind.pull) transfer('pull', worker, operation, entry)
    else if (kind === OperationKind.push) transfer('push', worker, operation, entry)
    else {
      const happen = () => worker.complete(operation, entry)
      agenda.add({ timeUs: agenda.nowUs + amount, eventClass: EventClass.parse, worker: worker.index, operation, happen })
    }
  }

  const hooks = {
    nowUs,
    start,
    requestAt: (timeUs: number, worker: Worker, position: number, pull: number) => {
      // At one time: by server, then in the order of the list.
      const operation = job.server[pull] * job.operations + position
      const happen = () => worker.becomeReady(pull)
      agenda.add({ timeUs, eventClass: EventClass.request, worker: worker.index, operation, happen })
    },
    readyLater: (worker: Worker, operation: number) => {
      const happen = () => worker.becomeReady(operation)
      agenda.add({ timeUs: agenda.nowUs, eventClass: EventClass.ready, worker: worker.index, operation, happen })
    },
    preparesPulls: pullCost.pullPerByteUs > 0 || pullCost.pullFixedUs > 0,
    releaseAt: (timeUs: number, worker: Worker) => {
      agenda.add({ timeUs, eventClass: EventClass.release, worker: worker.index, operation: 0, happen: () => worker.release() })
    },
    requestDelayUs: (worker: Worker) => {
      const isHeldUp = cluster.servers.some(
        (_, server) =>
          job.kind.some((kind, operation) => kind === OperationKind.pull && job.server[operation] === server) &&
          network.isUsedByAnother('push', server, worker.index)
      )
      return isHeldUp ? network.queueUs.push : 0
    },
    resultDelayUs: (worker: Worker) => {
      const isHeldUp = cluster.servers.some((_, server) => network.isUsedByAnother('pull', server, worker.index))
      return isHeldUp ? network.queueUs.pull : 0
    },
    endStepAt: (timeUs: number, worker: Worker, happen: () => void) => {
      agenda.add({ timeUs, eventClass: EventClass.step, worker: worker.index, operation: 1, happen })
    },
    stepEnded: (worker: Worker, step: Step) => {
      steps.push(step)
      if (mode.kind === 'ssp') staleness.stepEnded(worker)
      else hooks.beginNext(worker)
    },
    beginNext: (worker: Worker) => beginAt(agenda.nowUs + cluster.stepOverheadUs, worker),
    roundsEnded: () => rounds.ended,
    waitsForRound: (worker: Worker) => mode.kind === 'sync' && rounds.wait(worker),
    usedShare: (taken: number) => (mode.kind === 'sync' ? taken / Math.max(1, rounds.gradients.length) : 1),
    drawScale: ({ index }: Worker) => {
      const { computeScale, straggler } = cluster.workers[index]
      const isSlow = straggler !== undefined && straggling[index].uniform() < straggler.probability
      return isSlow ? computeScale * straggler.factor : computeScale
    },
    isSynchronous: mode.kind === 'sync',
    pushedSteps: { count: 0 },
    log: (entry: LogEntry) => {
      if (entry.worker < logWorkers) log.push(entry)
    }
  }

  function beginAt(timeUs: number, worker: Worker): void {
    agenda.add({ timeUs, eventClass: EventClass.step, worker: worker.index, operation: 0, happen: () => worker.beginStep() })
  }

  cluster.workers.forEach((_, index) => {
    beginAt(options.startUs?.[index] ?? 0, new Worker(index, job, hooks))
  })

  let clearUntilUs = Infinity
  while (steps.length < options.steps) {
    const due = agenda.takeDue()
    if (due) {
      due.happen()
      continue
    }
    network.setRates()
    const nextUs = Math.min(agenda.earliestUs(), network.earliestTurnEndUs())
    if (nextUs === Infinity) throw new Error('nothing is left to happen')
    const beforeUs = agenda.nowUs
    network.advance(nextUs)
    agenda.nowUs = nextUs
    const isClose = nextUs > beforeUs && (nextUs - beforeUs < CLEAR_GAP_US || agenda.looselyDueCount() > 1)
    if (isClose) clearUntilUs = Math.min(clearUntilUs, beforeUs)
  }

  const bytes = (direction: Direction) =>
    Float64Array.from(cluster.servers, (_, server) =>
      network.connections
        .filter(connection => connection.direction === direction && connection.server === server)
        .reduce((sum, connection) => sum + network.sentBytes.get(connection)!, 0)
    )
  const statistics = {
    elapsedUs: agenda.nowUs,
    computeBusyUs: Float64Array.from(compute, station => station.busyUs),
    updateBusyUs: Float64Array.from(update, station => station.busyUs),
    serverCpuBusyUs: Float64Array.from(cluster.servers, (_, server) => {
      const stations = new Set([update[server], serverParse[server], prepare[server]])
      return [...stations].reduce((sum, station) => sum + station.busyUs, 0)
    }),
    pullBytes: bytes('pull'),
    pushBytes: bytes('push'),
    pullBusyUs: Float64Array.from(cluster.servers, (_, server) => network.links[2 * server].busyUs),
    pushBusyUs: Float64Array.from(cluster.servers, (_, server) => network.links[2 * server + 1].busyUs)
  }
  return { steps, log, statistics, clearUntilUs }
}
