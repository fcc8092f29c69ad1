import type { Cluster, WorkerHost } from '@foretrain/core-wasm'
import type { Transport } from './transport.ts'

/** A cluster of equal hosts, and what is raised or slowed in it. */
interface ClusterShape {
  workers: number
  servers: number
  /** Payload of every NIC in each direction. */
  goodputBytesPerUs: number
  computeSlots: number
  updateSlots: number
  computeScale: number
  stepOverheadUs: number
  /** Of every worker. */
  straggler?: WorkerHost['straggler']
  mode?: Cluster['mode']
}

export function buildCluster(shape: ClusterShape, transport: Transport): Cluster {
  const { serverCost } = transport
  const nic = { outBytesPerUs: shape.goodputBytesPerUs, inBytesPerUs: shape.goodputBytesPerUs }
  return {
    workers: Array.from({ length: shape.workers }, () => ({
      ...nic,
      computeScale: shape.computeScale,
      latencyUs: transport.latencyUs,
      ...(shape.straggler && { straggler: shape.straggler })
    })),
    servers: Array.from({ length: shape.servers }, () => ({ ...nic, updateScale: 1 })),
    computeSlots: shape.computeSlots,
    updateSlots: shape.updateSlots,
    workerParse: transport.parse,
    serverParse: serverCost ? { slots: serverCost.slots, ...serverCost.push } : transport.parse,
    turns: transport.turns,
    stepOverheadUs: shape.stepOverheadUs,
    ackFraction: transport.ackFraction,
    ...(shape.mode && { mode: shape.mode }),
    shares: transport.shares,
    queueUs: { pull: transport.queueUs, push: transport.queueUs },
    burstBytes: transport.burstBytes,
    ...(transport.flowBytesPerUs < Number.POSITIVE_INFINITY && { flowBytesPerUs: transport.flowBytesPerUs }),
    ...(serverCost && {
      serverMessage: { slots: serverCost.slots, pullPerByteUs: serverCost.pull.perByteUs, pullFixedUs: serverCost.pull.fixedUs },
      sharedServerCpu: true
    })
  }
}
