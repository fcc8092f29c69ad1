import type { Cluster, Job, LogEntry, Statistics } from '../../src/job.ts'

export interface Step {
  worker: number
  template: number
  startUs: number
  endUs: number
  staleness: number
  usedShare: number
  waitedUs: number
}

/** What every simulator reports, in plain objects. */
export interface Outcome {
  /** In the order of completion; at least as many as were asked for. */
  steps: Step[]
  log: LogEntry[]
  statistics: Omit<Statistics, 'events'>
}

export interface SimulateOptions {
  /** Stop when so many steps of all workers together have completed. */
  steps: number
  /** Default: all workers. */
  logWorkers?: number
  /** Of what is drawn for shares and stragglers; nothing else is drawn. Default 1. */
  seed?: number
}

/** Templates in order, all workers begin at time 0: nothing but shares and stragglers is left to chance. */
export type Simulate = (job: Job, cluster: Cluster, options: SimulateOptions) => Outcome

export function entryOf(outcome: Outcome, operation: number, { worker = 0, step = 0 } = {}): LogEntry {
  const entry = outcome.log.find(one => one.worker === worker && one.step === step && one.operation === operation)
  if (!entry) throw new Error(`operation ${operation} of step ${step} of worker ${worker} is not in the log`)
  return entry
}

/** When each operation of one step completed. */
export function endsUs(outcome: Outcome, operations: readonly number[], where: { worker?: number; step?: number } = {}): number[] {
  return operations.map(operation => entryOf(outcome, operation, where).endUs)
}

export const stepsOf = (outcome: Outcome, worker: number): Step[] => outcome.steps.filter(step => step.worker === worker)

export const stepEndsUs = (outcome: Outcome, worker: number): number[] => stepsOf(outcome, worker).map(step => step.endUs)
