import type { SharedOperations, SharedTransfers } from './align.ts'
import { operationKey } from './readStep.ts'
import { median } from './statistics.ts'

/** Below this, hosts are taken to be in step: NTP and the kernel's rounding reach it. */
const SMALLEST_OFFSET_US = 100
/** Larger transfers spend their time on the wire, which says nothing of clocks. */
const SMALL_BYTES = 65_536
const MEBIBYTE = 1024 * 1024

export interface Clocks {
  /** Server clock minus worker clock, µs, by server; 0 where it does not stand out. */
  offsetUs: number[]
  /** Pulls and pushes of a mebibyte and more that were recorded as 1 µs long: a sign of clocks that differ. */
  instantTransfers: number
}

/**
 * Estimates how far each server's clock is ahead of the worker's. The shortest push seen (a = end on the server − end of its
 * producer on the worker = delay + θ) and the shortest pull (b = delay − θ) give θ = (a − b) / 2 with an error of at most
 * (a + b) / 2, the mean delay. Only when |θ| exceeds that error, which means that some tensor arrived before it was sent, are the
 * clocks known to differ.
 */
export function estimateClocks(
  shared: SharedOperations,
  transfers: SharedTransfers,
  dependencies: readonly number[][],
  worker: string,
  servers: readonly string[]
): Clocks {
  const operationCount = shared.operations.length
  const serverIndex = new Map(servers.map((server, i) => [server, i]))
  let instantTransfers = 0
  const estimates = servers.map(() => ({ thetasUs: [] as number[], errorsUs: [] as number[] }))
  shared.complete.forEach((table, step) => {
    const nodes = shared.operations.map(({ task, name }) => table.nodes.get(operationKey(task, name))!)
    const shortest = servers.map(() => ({ small: [Infinity, Infinity], any: [Infinity, Infinity] }))
    transfers.transfers.forEach(({ source, destination }, i) => {
      const record = transfers.recorded[step][i]
      if (record === undefined) return
      if (record.bytes >= MEBIBYTE && record.endUs - record.startUs <= 1) instantTransfers++
      let producedUs = -Infinity
      for (const dependency of dependencies[operationCount + i]) {
        if (dependency < operationCount && nodes[dependency].task === source)
          producedUs = Math.max(producedUs, nodes[dependency].endUs)
      }
      if (producedUs === -Infinity) return
      const direction = destination === worker ? 1 : 0
      const delays = shortest[serverIndex.get(direction === 1 ? source : destination)!]
      const delayUs = record.endUs - producedUs
      delays.any[direction] = Math.min(delays.any[direction], delayUs)
      if (record.bytes < SMALL_BYTES) delays.small[direction] = Math.min(delays.small[direction], delayUs)
    })
    shortest.forEach(({ small, any }, server) => {
      const [pushUs, pullUs] = small.every(Number.isFinite) ? small : any
      if (!Number.isFinite(pushUs) || !Number.isFinite(pullUs)) return
      estimates[server].thetasUs.push((pushUs - pullUs) / 2)
      estimates[server].errorsUs.push((pushUs + pullUs) / 2)
    })
  })
  const offsetUs = estimates.map(({ thetasUs, errorsUs }) => {
    const thetaUs = median(thetasUs)
    return Math.abs(thetaUs) > median(errorsUs) + SMALLEST_OFFSET_US ? Math.round(thetaUs) : 0
  })
  return { offsetUs, instantTransfers }
}
