/**
 * Priority of transfers (P3: Jayarajan et al., MLSys 2019; ByteScheduler: Peng et al., SOSP 2019): streams are cut into chunks, and the connection
 * hands its transport the next chunk of the most urgent stream, as far as a credit of bytes handed over and not yet sent allows. What is
 * handed over is sent in that order, so it delays what is more urgent; a hand-over takes a while, which a larger credit hides behind the wire.
 *
 *   ready ──> heap of streams ──chunk──> under hand-over ──chunkUs──> ring ──> on the wire
 *             by priority                └──────────── within the credit ────────────────┘
 *
 * What happens in the queue while its connection is busy shows when the turn ends or when a stream becomes ready: until then nothing is done about it
 * (`catchUp`), and only for an idle connection there are events.
 *
 * The ring keeps runs, chunks of one stream in a row: a run ends when its stream does or when another, which became ready later, goes first. So there are never
 * more than twice as many as the connection has transfers, however small the chunks (src/chunkQueues.ts).
 */
import { CLASS_CHUNK, schedule } from './eventQueue'
import {
  CONNECTION_BYTES,
  CONNECTION_CURRENT,
  CONNECTION_LAST_TURN,
  CONNECTION_SERVER_LINK,
  CONNECTION_TURN_BYTES,
  CONNECTION_WORKER,
  MARK_FIRST,
  MARK_LAST,
  QUEUE_BYTES,
  QUEUE_EXPECTED,
  QUEUE_EXPECTED_AT,
  QUEUE_HANDED,
  QUEUE_OVER_AT,
  QUEUE_OVER_BYTES,
  QUEUE_OVER_MARK,
  QUEUE_RING_COUNT,
  QUEUE_RING_FIRST,
  QUEUE_SEQUENCE,
  QUEUE_WAITING,
  RUN_BYTES,
  RUN_LAST_BYTES,
  RUN_MARK,
  RUN_WHOLE,
  SIM_CHUNK_QUEUE,
  SIM_CHUNK_US,
  SIM_CONNECTION,
  SIM_CREDIT,
  SIM_LINK_TIME_COUNT,
  SIM_NOW,
  SIM_PARTITION,
  SIM_QUEUE_BYTES,
  SIM_QUEUE_PLACE,
  SIM_SERVERS,
  WAITING_REST,
  WAITING_STREAM
} from './layout'
import { logWireStart } from './log'
import { messagesOf } from './messages'
import { startDelay } from './queueing'
import { pauseRamp } from './ramp'
import { insertStream, removeFirstStream } from './streamHeap'
import { leaveWire, putOnWire } from './wire'
import { workerAddress } from './workers'

/** Where the queue of the connection's direction and server lies, and how many places its ring has. */
function placeOf(sim: i32, address: i32): i32 {
  const own = 2 * i32.load(sim, SIM_SERVERS)
  const link = i32.load(address, CONNECTION_SERVER_LINK)
  // Loopback links come last, in the order of the servers' links.
  return i32.load(sim, SIM_QUEUE_PLACE) + 8 * (link < own ? link : link - (i32.load(sim, SIM_LINK_TIME_COUNT) - own))
}

/** Whether the connection hands over chunks by priority; else its streams take turns. */
export function inChunks(sim: i32, address: i32): bool {
  return i32.load(sim, SIM_QUEUE_BYTES) !== 0 && i32.load(placeOf(sim, address), 4) !== 0
}

function queueOf(sim: i32, place: i32, worker: i32): i32 {
  return workerAddress(sim, worker) + i32.load(sim, SIM_CHUNK_QUEUE) + i32.load(place)
}

function heapOf(queue: i32, place: i32): i32 {
  return queue + QUEUE_BYTES + i32.load(place, 4) * RUN_BYTES
}

function runAddress(queue: i32, place: i32, index: i32): i32 {
  const places = i32.load(place, 4)
  const at = i32.load(queue, QUEUE_RING_FIRST) + index
  return queue + QUEUE_BYTES + (at < places ? at : at - places) * RUN_BYTES
}

function chunkOf(sim: i32, rest: f64): f64 {
  const partition = f64.load(sim, SIM_PARTITION)
  return rest < partition ? rest : partition
}

function fits(sim: i32, queue: i32, bytes: f64): bool {
  const handed = f64.load(queue, QUEUE_HANDED)
  return handed === 0 || handed + bytes <= f64.load(sim, SIM_CREDIT)
}

/** A stream of `bytes` is ready: it waits, and the connection acts when all that becomes ready now is. */
export function enqueue(sim: i32, connection: i32, address: i32, worker: i32, operation: i32, bytes: f64): void {
  const place = placeOf(sim, address)
  const queue = queueOf(sim, place, worker)
  const heap = heapOf(queue, place)
  const now = f64.load(sim, SIM_NOW)
  catchUp(sim, queue, place, now)
  const waiting = i32.load(queue, QUEUE_WAITING)
  const sequence = waiting > 0 ? i32.load(queue, QUEUE_SEQUENCE) + 1 : 0
  i32.store(queue, sequence, QUEUE_SEQUENCE)
  i32.store(queue, waiting + 1, QUEUE_WAITING)
  insertStream(sim, heap, waiting, bytes, 2 * operation, sequence)
  if (i32.load(queue, QUEUE_EXPECTED) !== 0 || i32.load(queue, QUEUE_OVER_MARK) !== 0) return
  // Behind another that did not fit it need not be tried.
  if (i32.load(heap, WAITING_STREAM) !== 2 * operation || !fits(sim, queue, chunkOf(sim, bytes))) return
  i32.store(queue, 1, QUEUE_EXPECTED)
  f64.store(queue, now, QUEUE_EXPECTED_AT)
  if (i32.load(address, CONNECTION_CURRENT) === 0) schedule(sim, now, CLASS_CHUNK, worker, connection)
}

/** When the queue does something of itself; Infinity = not before another stream becomes ready or a turn ends. */
function nextTime(queue: i32): f64 {
  const expectedAt = i32.load(queue, QUEUE_EXPECTED) !== 0 ? f64.load(queue, QUEUE_EXPECTED_AT) : Infinity
  const overAt = i32.load(queue, QUEUE_OVER_MARK) !== 0 ? f64.load(queue, QUEUE_OVER_AT) : Infinity
  return expectedAt < overAt ? expectedAt : overAt
}

/** Does what had to be done before `now`. */
function catchUp(sim: i32, queue: i32, place: i32, now: f64): void {
  for (let time = nextTime(queue); time < now; time = nextTime(queue)) act(sim, queue, place, time)
}

/** A hand-over ends, or streams became ready that can be handed over. */
function act(sim: i32, queue: i32, place: i32, time: f64): void {
  i32.store(queue, 0, QUEUE_EXPECTED)
  const mark = i32.load(queue, QUEUE_OVER_MARK)
  if (mark !== 0 && f64.load(queue, QUEUE_OVER_AT) <= time) {
    i32.store(queue, 0, QUEUE_OVER_MARK)
    addToRing(queue, place, mark, f64.load(queue, QUEUE_OVER_BYTES))
  }
  handOver(sim, queue, place, time)
}

/** Hands over what fits the credit: the one chunk whose hand-over begins now, or all when that takes no time. */
function handOver(sim: i32, queue: i32, place: i32, time: f64): void {
  const heap = heapOf(queue, place)
  const chunkUs = f64.load(sim, SIM_CHUNK_US)
  while (i32.load(queue, QUEUE_OVER_MARK) === 0) {
    const waiting = i32.load(queue, QUEUE_WAITING)
    if (waiting === 0) return
    const rest = f64.load(heap, WAITING_REST)
    const bytes = chunkOf(sim, rest)
    if (!fits(sim, queue, bytes)) return
    const stream = i32.load(heap, WAITING_STREAM)
    const operation = stream >> 1
    let mark = 4 * (operation + 1)
    let tookUs = chunkUs
    if ((stream & 1) === 0) {
      mark += MARK_FIRST
      tookUs *= f64(messagesOf(sim, operation))
    }
    if (rest > bytes) {
      f64.store(heap, rest - bytes, WAITING_REST)
      i32.store(heap, stream | 1, WAITING_STREAM)
    } else {
      mark += MARK_LAST
      i32.store(queue, waiting - 1, QUEUE_WAITING)
      removeFirstStream(sim, heap, waiting - 1)
    }
    f64.store(queue, f64.load(queue, QUEUE_HANDED) + bytes, QUEUE_HANDED)
    if (chunkUs === 0) {
      addToRing(queue, place, mark, bytes)
      continue
    }
    i32.store(queue, mark, QUEUE_OVER_MARK)
    f64.store(queue, bytes, QUEUE_OVER_BYTES)
    f64.store(queue, time + tookUs, QUEUE_OVER_AT)
  }
}

/** A chunk is handed over: behind the others. */
function addToRing(queue: i32, place: i32, mark: i32, bytes: f64): void {
  const count = i32.load(queue, QUEUE_RING_COUNT)
  let run = count > 0 ? runAddress(queue, place, count - 1) : 0
  if (run === 0 || i32.load(run, RUN_MARK) >> 2 !== mark >> 2) {
    run = runAddress(queue, place, count)
    i32.store(queue, count + 1, QUEUE_RING_COUNT)
    i32.store(run, mark, RUN_MARK)
    i32.store(run, 0, RUN_WHOLE)
  } else {
    i32.store(run, i32.load(run, RUN_MARK) | mark, RUN_MARK)
  }
  if ((mark & MARK_LAST) !== 0) f64.store(run, bytes, RUN_LAST_BYTES)
  else i32.store(run, i32.load(run, RUN_WHOLE) + 1, RUN_WHOLE)
}

/** The ring's first chunk goes on the wire. */
function sendChunk(sim: i32, connection: i32, address: i32, worker: i32, queue: i32, place: i32, onLink: bool): void {
  const run = runAddress(queue, place, 0)
  const mark = i32.load(run, RUN_MARK)
  const whole = i32.load(run, RUN_WHOLE)
  const operation = (mark >> 2) - 1
  const isLast = whole === 0
  const bytes = isLast ? f64.load(run, RUN_LAST_BYTES) : f64.load(sim, SIM_PARTITION)
  if (isLast || (whole === 1 && (mark & MARK_LAST) === 0)) {
    const next = i32.load(queue, QUEUE_RING_FIRST) + 1
    i32.store(queue, next < i32.load(place, 4) ? next : 0, QUEUE_RING_FIRST)
    i32.store(queue, i32.load(queue, QUEUE_RING_COUNT) - 1, QUEUE_RING_COUNT)
  } else {
    i32.store(run, whole - 1, RUN_WHOLE)
    i32.store(run, mark & ~MARK_FIRST, RUN_MARK)
  }
  i32.store(address, operation + 1, CONNECTION_CURRENT)
  i32.store(address, isLast ? 1 : 0, CONNECTION_LAST_TURN)
  const delay = onLink ? 0 : startDelay(sim, connection)
  if ((mark & MARK_FIRST) !== 0) logWireStart(sim, worker, operation, f64.load(sim, SIM_NOW) + delay)
  putOnWire(sim, connection, address, worker, bytes, onLink, delay)
}

/** After a chunk: the credit that it held is free; then the next one, or idle. */
export function nextChunk(sim: i32, connection: i32, address: i32, worker: i32): void {
  const place = placeOf(sim, address)
  const queue = queueOf(sim, place, worker)
  const now = f64.load(sim, SIM_NOW)
  catchUp(sim, queue, place, now)
  const nothingElse = i32.load(queue, QUEUE_RING_COUNT) === 0 && i32.load(queue, QUEUE_OVER_MARK) === 0
  // No crumbs of rounding when nothing is left.
  f64.store(queue, nothingElse ? 0 : f64.load(queue, QUEUE_HANDED) - f64.load(address, CONNECTION_TURN_BYTES), QUEUE_HANDED)
  handOver(sim, queue, place, now)
  if (i32.load(queue, QUEUE_RING_COUNT) > 0) {
    sendChunk(sim, connection, address, worker, queue, place, true)
    return
  }
  pauseRamp(sim, connection)
  leaveWire(sim, connection, address)
  scheduleNext(sim, connection, worker, queue)
}

/** The event of an idle connection whose queue has something to do. */
export function actOnChunks(sim: i32, connection: i32): void {
  const address = i32.load(sim, SIM_CONNECTION) + connection * CONNECTION_BYTES
  const worker = i32.load(address, CONNECTION_WORKER)
  const place = placeOf(sim, address)
  const queue = queueOf(sim, place, worker)
  act(sim, queue, place, f64.load(sim, SIM_NOW))
  if (i32.load(queue, QUEUE_RING_COUNT) > 0) sendChunk(sim, connection, address, worker, queue, place, false)
  else scheduleNext(sim, connection, worker, queue)
}

function scheduleNext(sim: i32, connection: i32, worker: i32, queue: i32): void {
  const time = nextTime(queue)
  if (time < Infinity) schedule(sim, time, CLASS_CHUNK, worker, connection)
}
