/**
 * Newcomers (method §3.3): a connection that turns busy beside others starts with a sixteenth of its share and grows to the whole of it
 * in seven steps, as a TCP flow does beside flows that hold the queue. Alone it has everything at once; after less than TCP's minimum
 * retransmission time-out of silence it goes on where it was (the congestion window is kept, RFC 5681 §4.1).
 */
import { CLASS_NET, schedule } from './eventQueue'
import {
  CONNECTION_CURRENT,
  CONNECTION_IDLE_SINCE,
  CONNECTION_LUCK,
  CONNECTION_RAMP_DUE,
  CONNECTION_RAMP_STEP,
  CONNECTION_SERVER_LINK,
  CONNECTION_WEIGHT,
  CONNECTION_WORKER,
  CONNECTION_WORKER_LINK,
  LINK_CROSSING,
  LINK_HEAP,
  SIM_BUSY_COUNT,
  SIM_NOW,
  SIM_RAMP,
  SIM_SHARE_SPREAD,
  SIM_WORKER,
  TAG_CONNECTION,
  WORKER_BYTES
} from './layout'
import { busyEntry, connectionAddress, directionOf, isAlone, linkAddress, reweigh } from './links'
import { uniform } from './random'

export const RAMP_STEPS: i32 = 7
/** Linux TCP_RTO_MIN. */
const KEPT_WINDOW_US: f64 = 200000.0

/** 16^(k/7 − 1): written out, because a power function may round differently elsewhere. */
function rampWeight(step: i32): f64 {
  switch (step) {
    case 0:
      return 0.0625
    case 1:
      return 0.09287464307105926
    case 2:
      return 0.13801118920922653
    case 3:
      return 0.2050838390019095
    case 4:
      return 0.30475341355111885
    case 5:
      return 0.45286183213195336
    case 6:
      return 0.672950096316178
    default:
      return 1
  }
}

function rampUs(sim: i32, connection: i32): f64 {
  return f64.load(sim + 8 * directionOf(sim, connection), SIM_RAMP)
}

function scheduleStep(sim: i32, connection: i32): void {
  const address = connectionAddress(sim, connection)
  const due = f64.load(sim, SIM_NOW) + rampUs(sim, connection) / f64(RAMP_STEPS)
  f64.store(address, due, CONNECTION_RAMP_DUE)
  // Odd operation numbers are ramp events, even ones wake-ups.
  schedule(sim, due, CLASS_NET, i32.load(address, CONNECTION_WORKER), 2 * connection + 1)
}

function setStep(sim: i32, connection: i32, step: i32): void {
  const address = connectionAddress(sim, connection)
  i32.store(address, step, CONNECTION_RAMP_STEP)
  reweigh(sim, connection, rampWeight(step) * f64.load(address, CONNECTION_LUCK))
}

function drawLuck(sim: i32, connection: i32): void {
  const address = connectionAddress(sim, connection)
  const spread = f64.load(sim + 8 * directionOf(sim, connection), SIM_SHARE_SPREAD)
  if (spread === 0) return
  const worker = i32.load(sim, SIM_WORKER) + i32.load(address, CONNECTION_WORKER) * WORKER_BYTES
  const deviation = spread * (2 * uniform(worker) - 1)
  // As likely k times as 1/k times its share.
  f64.store(address, (1 + deviation) / (1 - deviation), CONNECTION_LUCK)
}

/** Sets the weight of a connection that is about to turn busy; `others` tells whether anybody is on its links. */
export function weighNewcomer(sim: i32, connection: i32, others: bool): void {
  const address = connectionAddress(sim, connection)
  if (f64.load(sim, SIM_NOW) - f64.load(address, CONNECTION_IDLE_SINCE) >= KEPT_WINDOW_US) {
    drawLuck(sim, connection)
    i32.store(address, others && rampUs(sim, connection) > 0 ? 0 : RAMP_STEPS, CONNECTION_RAMP_STEP)
  } else if (!others) {
    i32.store(address, RAMP_STEPS, CONNECTION_RAMP_STEP)
  }
  const step = i32.load(address, CONNECTION_RAMP_STEP)
  f64.store(address, rampWeight(step) * f64.load(address, CONNECTION_LUCK), CONNECTION_WEIGHT)
  if (step < RAMP_STEPS) scheduleStep(sim, connection)
}

export function onRampEvent(sim: i32, connection: i32): void {
  const address = connectionAddress(sim, connection)
  const current = i32.load(address, CONNECTION_CURRENT) !== 0 && f64.load(address, CONNECTION_RAMP_DUE) === f64.load(sim, SIM_NOW)
  const step = i32.load(address, CONNECTION_RAMP_STEP)
  if (!current || step >= RAMP_STEPS) return
  setStep(sim, connection, step + 1)
  if (step + 1 < RAMP_STEPS) scheduleStep(sim, connection)
}

/** A connection left: whoever is now alone on its links has them whole. */
export function weighLeftBehind(sim: i32, left: i32): void {
  if (rampUs(sim, left) === 0) return
  const address = connectionAddress(sim, left)
  const serverLink = i32.load(address, CONNECTION_SERVER_LINK)
  const workerLink = i32.load(address, CONNECTION_WORKER_LINK)
  const server = linkAddress(sim, serverLink)
  if (workerLink < 0) {
    if (i32.load(server, LINK_CROSSING) === 1) setStep(sim, i32.load(i32.load(server, LINK_HEAP), TAG_CONNECTION), RAMP_STEPS)
    return
  }
  const direction = directionOf(sim, left)
  const count = i32.load(sim + 4 * direction, SIM_BUSY_COUNT)
  for (let i = 0; i < count; i++) {
    const other = i32.load(busyEntry(sim, direction, i))
    const otherAddress = connectionAddress(sim, other)
    const shares =
      i32.load(otherAddress, CONNECTION_SERVER_LINK) === serverLink || i32.load(otherAddress, CONNECTION_WORKER_LINK) === workerLink
    if (shares && isAlone(sim, other)) setStep(sim, other, RAMP_STEPS)
  }
}
