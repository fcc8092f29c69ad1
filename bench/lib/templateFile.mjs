import { OperationKind } from '@foretrain/core-wasm'

/**
 * Letters of the text format; what occupies nothing but time is compute to the rivals.
 *
 * @type {Record<number, string>}
 */
const letters = {
  [OperationKind.compute]: 'W',
  [OperationKind.delay]: 'W',
  [OperationKind.update]: 'P',
  [OperationKind.pull]: 'D',
  [OperationKind.push]: 'U'
}

/**
 * A job as the text that the rivals read: the number of templates; for each the number of operations; for each operation a line
 *
 *     kind server bytes duration_us start_us end_us dependencies d1 d2 …
 *
 * kind W = compute on the worker, P = on the server, D = pull, U = push. An operation without dependencies is released at its start. Of the
 * ends the rivals use only the latest, for the span within which workers begin: here every operation has that of its step.
 *
 * @param {import('@foretrain/core-wasm').Job} job
 * @param {readonly number[]} spansUs of each template
 */
export function templateText(job, spansUs) {
  const dependencies = dependenciesOf(job)
  const roots = job.releaseUs.length / job.templates
  const lines = [String(job.templates)]
  for (let template = 0; template < job.templates; template++) {
    const startUs = new Float64Array(job.operations)
    for (let i = template * roots; i < (template + 1) * roots; i++) startUs[job.releaseOperation[i]] = job.releaseUs[i]
    lines.push(String(job.operations))
    for (let operation = 0; operation < job.operations; operation++) {
      const kind = job.kind[operation]
      const amount = job.amount[template * job.operations + operation]
      const [bytes, durationUs] = kind === OperationKind.pull || kind === OperationKind.push ? [amount, 0] : [0, amount]
      const waitsFor = dependencies[operation]
      lines.push(
        [
          letters[kind],
          job.server[operation],
          bytes,
          durationUs,
          startUs[operation],
          spansUs[template],
          waitsFor.length,
          ...waitsFor
        ].join(' ')
      )
    }
  }
  return `${lines.join('\n')}\n`
}

/**
 * @param {import('@foretrain/core-wasm').Job} job
 * @returns {number[][]} of each operation, what it waits for, ascending
 */
function dependenciesOf({ operations, successorStart, successors }) {
  /** @type {number[][]} */
  const dependencies = Array.from({ length: operations }, () => [])
  for (let operation = 0; operation < operations; operation++) {
    for (let i = successorStart[operation]; i < successorStart[operation + 1]; i++) dependencies[successors[i]].push(operation)
  }
  return dependencies
}
