import type { Profile, ProfiledStep } from '@foretrain/trace-parser'
import { stepBytes } from './stepBytes.ts'

/** Ends of transfers scatter by about this much around the moment their last byte came; less wire time is not taken for a turn. */
const scatterUs = 1500
const fewestTurnBytes = 131_072

interface Stream {
  id: number
  bytes: number
  startUs: number
  endUs: number
  sentBytes: number
  firstTurnBytes: number
}

/**
 * First-turn bytes of every transfer of a recorded step (parallel to `profile.operations`; Infinity where it went in one turn), read off
 * the recorded ends: a connection that is busy sends at a known rate, so the time between two ends that the bytes of the second do not
 * explain was spent on a stream that ended later and had to give way. HTTP/2 windows differ between streams and from step to step
 * (gRPC's flow_control.cc), so no single window would tell this.
 *
 * @param rateBytesPerUs payload rate of the worker's link, shared by the connections to all servers
 */
export function recordedTurns(profile: Profile, step: ProfiledStep, rateBytesPerUs: number): Float64Array {
  const firstTurn = new Float64Array(profile.operations.length).fill(Number.POSITIVE_INFINITY)
  const imputed = new Set(step.imputed)
  const bytesOf = stepBytes(profile, step)
  for (const kind of ['pull', 'push'] as const) {
    for (let server = 0; server < profile.servers.length; server++) {
      const streams = profile.operations.flatMap((operation, id): Stream[] =>
        operation.kind === kind && operation.server === server && !imputed.has(id)
          ? [{ id, bytes: bytesOf(id), startUs: step.startUs[id], endUs: step.endUs[id], sentBytes: 0, firstTurnBytes: 0 }]
          : []
      )
      for (const period of busyPeriods(streams)) {
        readPeriod(period, rateBytesPerUs)
        for (const stream of period) if (stream.firstTurnBytes > 0) firstTurn[stream.id] = stream.firstTurnBytes
      }
    }
  }
  return firstTurn
}

/** Streams in order of their start, cut where the connection had nothing to send. */
function busyPeriods(streams: Stream[]): Stream[][] {
  const periods: Stream[][] = []
  let endUs = Number.NEGATIVE_INFINITY
  for (const stream of streams.sort((a, b) => a.startUs - b.startUs)) {
    if (stream.startUs > endUs) periods.push([])
    periods[periods.length - 1].push(stream)
    endUs = Math.max(endUs, stream.endUs)
  }
  return periods
}

function readPeriod(queue: Stream[], linkRate: number): void {
  const byEnd = [...queue].sort((a, b) => a.endUs - b.endUs)
  const first = queue[0].startUs
  const last = byEnd[byEnd.length - 1].endUs
  const bytes = queue.reduce((sum, stream) => sum + stream.bytes, 0)
  // A connection that shares the link with those of other servers has had what its bytes and its time say.
  const rate = Math.min(linkRate, bytes / Math.max(1, last - first))
  const place = new Map(queue.map((stream, i) => [stream, i]))
  const rest = new Set(queue)
  let at = first
  for (const stream of byEnd) {
    rest.delete(stream)
    let unexplained = rate * (stream.endUs - at) - (stream.bytes - stream.sentBytes)
    at = Math.max(at, stream.endUs)
    if (unexplained < Math.max(fewestTurnBytes, scatterUs * rate)) continue
    for (const other of givenWay(
      queue.filter(waiting => rest.has(waiting)),
      place.get(stream)!,
      place
    )) {
      const turn = Math.min(unexplained, other.bytes - other.sentBytes)
      // A stream that all but completed was only late in being noticed.
      const cut = turn < other.bytes - other.sentBytes - fewestTurnBytes
      if (other.sentBytes === 0 && cut && turn >= fewestTurnBytes) other.firstTurnBytes = turn
      other.sentBytes += turn
      unexplained -= turn
      if (unexplained < fewestTurnBytes) break
    }
  }
}

/**
 * Who may have sent before a stream ended: first those queued before it that had no turn yet, then those in later turns.
 *
 * @param waiting streams that ended later, in the order of the queue
 * @param at place of the stream in the queue
 */
function givenWay(waiting: readonly Stream[], at: number, place: ReadonlyMap<Stream, number>): Stream[] {
  const before = waiting.filter(other => other.sentBytes === 0 && place.get(other)! < at)
  return [...before, ...waiting.filter(other => other.sentBytes > 0)]
}
