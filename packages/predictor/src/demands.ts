import { type Job, OperationKind } from '@foretrain/core-wasm'
import type { Profile } from '@foretrain/trace-parser'
import type { ServerCost } from './transport.ts'

/** What one step asks of each resource, mean over templates. */
export interface Demands {
  /** [M] bytes. */
  pullBytes: Float64Array
  pushBytes: Float64Array
  /** [M] µs of updates that occupy a core. */
  updateUs: Float64Array
  /** [M] µs of messages that occupy a core; 0 where no cost of them is known. Other slots than those of updates. */
  messageUs: Float64Array
  computeUs: number
  /** Standard error of `computeUs` that comes from having few templates, relative. */
  computeStandardError: number
}

/** @param coreShares cores of each server over those of a usual one: its updates are counted in core time of a usual one */
export function demandsOf(job: Job, servers: number, cost?: ServerCost, coreShares?: readonly number[]): Demands {
  const demands = {
    pullBytes: new Float64Array(servers),
    pushBytes: new Float64Array(servers),
    updateUs: new Float64Array(servers),
    messageUs: new Float64Array(servers)
  }
  const computeUs = new Float64Array(job.templates)
  for (let template = 0; template < job.templates; template++) {
    for (let operation = 0; operation < job.operations; operation++) {
      const amount = Math.max(0, job.amount[template * job.operations + operation])
      const share = amount / job.templates
      const server = job.server[operation]
      switch (job.kind[operation]) {
        case OperationKind.pull:
          demands.pullBytes[server] += share
          if (cost) demands.messageUs[server] += cost.pull.perByteUs * share + cost.pull.fixedUs / job.templates
          break
        case OperationKind.push:
          demands.pushBytes[server] += share
          if (cost) demands.messageUs[server] += cost.push.perByteUs * share + cost.push.fixedUs / job.templates
          break
        case OperationKind.update:
          demands.updateUs[server] += share / (coreShares?.[server] ?? 1)
          break
        case OperationKind.compute:
          computeUs[template] += amount
          break
      }
    }
  }
  const mean = computeUs.reduce((sum, value) => sum + value, 0) / job.templates
  const variance = computeUs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, job.templates - 1)
  return { ...demands, computeUs: mean, computeStandardError: mean > 0 ? Math.sqrt(variance / job.templates) / mean : 0 }
}

/** Bytes of a step in one direction over all servers. */
export function bytesOf(profile: Profile, kind: 'pull' | 'push'): number {
  return profile.operations.reduce((sum, operation) => sum + (operation.kind === kind ? operation.bytes : 0), 0)
}
