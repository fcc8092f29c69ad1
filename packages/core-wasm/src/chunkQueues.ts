import { type Cluster, type Job, OperationKind, type Priority } from './job.ts'

/** Bytes of the parts of a chunk queue: names of constants of the core's layout. */
type QueueLayout = Readonly<Record<string, number>>

const NONE = { bytes: 0, place: new Int32Array(0) }

/** Whether the transfers of a direction are handed over in chunks by priority. */
export function hasPriority(cluster: Cluster, kind: number): boolean {
  return (
    (kind === OperationKind.pull && cluster.priority?.pull === true) ||
    (kind === OperationKind.push && cluster.priority?.push === true)
  )
}

/**
 * What the chunk queues of a worker's connections take. `place` has two numbers for each direction and server (pulls first): where the queue lies among the
 * worker's, and the places of its ring; 0 and 0 where there is none. Without priority nothing.
 */
export function planChunkQueues(job: Job, cluster: Cluster, layout: QueueLayout): { bytes: number; place: Int32Array } {
  const { priority } = cluster
  if (priority === undefined) return NONE
  const servers = cluster.servers.length
  const place = new Int32Array(4 * servers)
  const transfers = new Uint32Array(2 * servers)
  for (let operation = 0; operation < job.operations; operation++) {
    const kind = job.kind[operation]
    if (hasPriority(cluster, kind)) transfers[(kind === OperationKind.push ? servers : 0) + job.server[operation]] += 1
  }
  let bytes = 0
  transfers.forEach((count, connection) => {
    if (count === 0) return
    const ring = ringPlaces(count, priority)
    place.set([bytes, ring], 2 * connection)
    bytes += layout.QUEUE_BYTES + ring * layout.RUN_BYTES + count * layout.WAITING_BYTES
  })
  return bytes > 0 ? { bytes, place } : NONE
}

/**
 * How many runs of chunks the ring of a connection with so many transfers can hold: one for the last chunk of each, and those without, of whole chunks
 * alone. These each take partitionBytes of the credit (one more for rounding), and each but the ring's last was broken off by a transfer that came then.
 */
function ringPlaces(transfers: number, { partitionBytes, creditBytes }: Priority): number {
  const wholeChunks = partitionBytes === Infinity ? 0 : creditBytes / partitionBytes
  return transfers + Math.floor(Math.min(transfers, wholeChunks + 1))
}
