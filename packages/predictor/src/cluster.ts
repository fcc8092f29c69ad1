import type { Cluster, ShareRow } from '@foretrain/core-wasm'
import type { Transport } from './transport.ts'

/** A cluster of equal hosts, and what is raised or slowed in it. */
export interface ClusterShape {
  workers: number
  servers: number
  /** Payload of every NIC in each direction. */
  goodputBytesPerUs: number
  computeSlots: number
  updateSlots: number
  computeScale: number
  stepOverheadUs: number
}

/** Beside any number of others a newcomer begins with a sixteenth of its share. */
function shareRow(transport: Transport, direction: 'pull' | 'push'): ShareRow {
  return { startWeight: 1 / 16, rampUs: transport.rampUs[direction], spread: transport.shareSpread[direction] }
}

export function buildCluster(shape: ClusterShape, transport: Transport): Cluster {
  const nic = { outBytesPerUs: shape.goodputBytesPerUs, inBytesPerUs: shape.goodputBytesPerUs }
  return {
    workers: Array.from({ length: shape.workers }, () => ({
      ...nic,
      computeScale: shape.computeScale,
      latencyUs: transport.latencyUs
    })),
    servers: Array.from({ length: shape.servers }, () => ({ ...nic, updateScale: 1 })),
    computeSlots: shape.computeSlots,
    updateSlots: shape.updateSlots,
    workerParse: transport.parse,
    serverParse: transport.parse,
    turns: transport.turns,
    stepOverheadUs: shape.stepOverheadUs,
    ackFraction: transport.ackFraction,
    shares: { pull: [shareRow(transport, 'pull')], push: [shareRow(transport, 'push')] }
  }
}
