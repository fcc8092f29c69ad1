import type { SharedOperations, SharedTransfers } from './align.ts'
import { operationKey } from './readStep.ts'
import { median } from './statistics.ts'

/** Below this, hosts are taken to be in step: NTP and the kernel's rounding reach it. */
const SMALLEST_OFFSET_US = 100
const MEBIBYTE = 1024 * 1024

export interface Clocks {
  /** Server clock minus worker clock, µs, by server; 0 where it does not stand out. */
  offsetUs: number[]
  /** Pulls and pushes of a mebibyte and more that were recorded as 1 µs long: a sign of clocks that differ. */
  instantTransfers: number
}

/**
 * Estimates how far each server's clock is ahead of the worker's. The shortest push of all steps (a = end on the server − end of its
 * producer on the worker = delay + θ) and the shortest pull (b = delay − θ) give θ = (a − b) / 2 with an error of at most
 * (a + b) / 2, the mean delay. Most transfers wait behind others, so that the shortest of one step may have waited too; over twenty
 * steps a and b come down to a few milliseconds. Only when |θ| exceeds the error, which means that some tensor arrived before it was
 * sent, are the clocks known to differ.
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
  const perStep = shared.complete.map((table, step) => {
    const nodes = shared.operations.map(({ task, name }) => table.nodes.get(operationKey(task, name))!)
    const shortest = servers.map((): Delays => ({ pushUs: Infinity, pullUs: Infinity }))
    transfers.transfers.forEach(({ source, destination }, i) => {
      const record = transfers.recorded[step][i]
      if (record === undefined) return
      if (record.bytes >= MEBIBYTE && record.endUs - record.startUs <= 1) instantTransfers++
      let producedUs = -Infinity
      for (const dependency of dependencies[operationCount + i]) {
        if (dependency < operationCount && nodes[dependency].task === source) {
          producedUs = Math.max(producedUs, nodes[dependency].endUs)
        }
      }
      if (producedUs === -Infinity) return
      const isPull = destination === worker
      const delays = shortest[serverIndex.get(isPull ? source : destination)!]
      const delayUs = record.endUs - producedUs
      if (isPull) delays.pullUs = Math.min(delays.pullUs, delayUs)
      else delays.pushUs = Math.min(delays.pushUs, delayUs)
    })
    return shortest
  })
  const offsetUs = servers.map((_, server) => offsetFrom(perStep.map(shortest => shortest[server])))
  return { offsetUs, instantTransfers }
}

/** Shortest delays of one step, each with the clocks' difference in it. */
interface Delays {
  pushUs: number
  pullUs: number
}

function offsetFrom(perStep: readonly Delays[]): number {
  let pushUs = Infinity
  let pullUs = Infinity
  for (const delays of perStep) {
    pushUs = Math.min(pushUs, delays.pushUs)
    pullUs = Math.min(pullUs, delays.pullUs)
  }
  if (pushUs + pullUs < 0) {
    // No offset fits all steps: the clocks drift or a record is wrong. The middle step decides.
    pushUs = median(perStep.map(delays => delays.pushUs))
    pullUs = median(perStep.map(delays => delays.pullUs))
  }
  const thetaUs = (pushUs - pullUs) / 2
  const errorUs = Math.max(0, (pushUs + pullUs) / 2)
  return Number.isFinite(thetaUs) && Math.abs(thetaUs) > errorUs + SMALLEST_OFFSET_US ? Math.round(thetaUs) : 0
}
