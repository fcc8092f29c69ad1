import { type Job, OperationKind } from './job.ts'

/**
 * What a synchronous round collects: each update, and each push from which no update is reached.
 *
 * @returns [n] ordinal of each gradient, −1 for other operations
 */
export function gradientsOf(job: Job): { index: Int32Array; count: number } {
  const index = new Int32Array(job.operations).fill(-1)
  const leadsToUpdate = reaching(job)
  let count = 0
  job.kind.forEach((kind, operation) => {
    const isGradient = kind === OperationKind.update || (kind === OperationKind.push && !leadsToUpdate[operation])
    if (isGradient) index[operation] = count++
  })
  return { index, count }
}

/** [n] 1 for operations on which an update depends, however indirectly. */
function reaching(job: Job): Uint8Array {
  const dependencies: number[][] = Array.from({ length: job.operations }, () => [])
  for (let from = 0; from < job.operations; from++)
    for (let i = job.successorStart[from]; i < job.successorStart[from + 1]; i++) dependencies[job.successors[i]].push(from)
  const found = new Uint8Array(job.operations)
  const open = [...job.kind.keys()].filter(operation => job.kind[operation] === OperationKind.update)
  for (let operation = open.pop(); operation !== undefined; operation = open.pop()) {
    for (const before of dependencies[operation]) {
      if (found[before]) continue
      found[before] = 1
      open.push(before)
    }
  }
  return found
}
