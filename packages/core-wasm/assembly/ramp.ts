/**
 * Unequal shares (docs/method.md §5): a connection that turns busy beside others draws its luck, starts with a small weight and grows to the
 * whole in seven steps, as a TCP flow does beside flows that hold the queue. How small, how fast and how lucky depends on how many the
 * others are: a row of the share table. Alone on its server's link it has everything at once; after less than TCP's minimum
 * retransmission time-out of silence it goes on where it was (the congestion window is kept, RFC 5681 §4.1).
 */
import { CLASS_NET, NET_RAMP, schedule } from './eventQueue'
import {
  CONNECTION_CURRENT,
  CONNECTION_IDLE_SINCE,
  CONNECTION_LUCK,
  CONNECTION_RAMP_DUE,
  CONNECTION_RAMP_STEP,
  CONNECTION_SERVER_LINK,
  CONNECTION_SHARE,
  CONNECTION_WEIGHT,
  CONNECTION_WORKER,
  CONNECTION_WORKER_LINK,
  LINK_CROSSING,
  LINK_ORDER_FIRST,
  RAMP_STEPS,
  SHARE_BYTES,
  SHARE_SPREAD,
  SHARE_STEP_US,
  SHARE_WEIGHTS,
  SHARING_CROSSING,
  SIM_NOW,
  SIM_SERVERS,
  SIM_SHARE_ROWS,
  SIM_SHARE_TABLE,
  TAG_CONNECTION,
  WORKER_LUCK
} from './layout'
import { connectionAddress, directionOf, isLoopback, linkAddress } from './linkClock'
import { reweigh } from './links'
import { uniform } from './random'
import { sharingAddress } from './standing'
import { workerAddress } from './workers'

/** Linux TCP_RTO_MIN. */
const KEPT_WINDOW_US: f64 = 200000.0

/** Row of its direction's table for a connection beside `others` others; one that is alone draws its luck from the first. */
function shareRow(sim: i32, connection: i32, others: i32): i32 {
  const rows = i32.load(sim, SIM_SHARE_ROWS)
  const row = others === 0 ? 0 : others < rows ? others - 1 : rows - 1
  return i32.load(sim, SIM_SHARE_TABLE) + (directionOf(sim, connection) * rows + row) * SHARE_BYTES
}

function stepUs(address: i32): f64 {
  return f64.load(i32.load(address, CONNECTION_SHARE), SHARE_STEP_US)
}

function scheduleStep(sim: i32, connection: i32, afterUs: f64): void {
  const address = connectionAddress(sim, connection)
  const due = f64.load(sim, SIM_NOW) + afterUs
  f64.store(address, due, CONNECTION_RAMP_DUE)
  schedule(sim, due, CLASS_NET, i32.load(address, CONNECTION_WORKER), 4 * connection + NET_RAMP)
}

/** The last weight of every row is 1. */
function weightAt(address: i32, step: i32): f64 {
  return f64.load(i32.load(address, CONNECTION_SHARE) + 8 * step, SHARE_WEIGHTS) * f64.load(address, CONNECTION_LUCK)
}

function setStep(sim: i32, connection: i32, step: i32): void {
  const address = connectionAddress(sim, connection)
  i32.store(address, step, CONNECTION_RAMP_STEP)
  reweigh(sim, connection, weightAt(address, step))
}

function drawLuck(sim: i32, address: i32, spread: f64): f64 {
  if (spread === 0) return 1
  const worker = workerAddress(sim, i32.load(address, CONNECTION_WORKER))
  const deviation = spread * (2 * uniform(worker + WORKER_LUCK) - 1)
  // As likely k times as 1/k times its share.
  return (1 + deviation) / (1 - deviation)
}

/** A connection waits in front of its links: ramp events from before its silence are not for it. */
export function forgetRamp(sim: i32, connection: i32): void {
  const address = connectionAddress(sim, connection)
  if (f64.load(address, CONNECTION_RAMP_DUE) >= 0) f64.store(address, -Infinity, CONNECTION_RAMP_DUE)
}

/**
 * A connection leaves its links between two chunks: the next step of its ramp will come after as much more time on the link as is missing now, else one
 * whose chunks are shorter than a step would never grow.
 */
export function pauseRamp(sim: i32, connection: i32): void {
  const address = connectionAddress(sim, connection)
  if (i32.load(address, CONNECTION_RAMP_STEP) >= RAMP_STEPS) return
  f64.store(address, f64.load(sim, SIM_NOW) - f64.load(address, CONNECTION_RAMP_DUE), CONNECTION_RAMP_DUE)
}

/** Sets the weight of a connection that is about to join its links. */
export function weighNewcomer(sim: i32, connection: i32): void {
  if (i32.load(sim, SIM_SHARE_ROWS) === 0) return
  const address = connectionAddress(sim, connection)
  if (isLoopback(sim, address)) return
  const others = i32.load(linkAddress(sim, i32.load(address, CONNECTION_SERVER_LINK)), LINK_CROSSING)
  const isNew = f64.load(sim, SIM_NOW) - f64.load(address, CONNECTION_IDLE_SINCE) >= KEPT_WINDOW_US
  if (isNew) {
    const row = shareRow(sim, connection, others)
    i32.store(address, row, CONNECTION_SHARE)
    f64.store(address, drawLuck(sim, address, f64.load(row, SHARE_SPREAD)), CONNECTION_LUCK)
    i32.store(address, others > 0 && f64.load(row, SHARE_STEP_US) > 0 ? 0 : RAMP_STEPS, CONNECTION_RAMP_STEP)
  } else if (others === 0) {
    i32.store(address, RAMP_STEPS, CONNECTION_RAMP_STEP)
  }
  const step = i32.load(address, CONNECTION_RAMP_STEP)
  f64.store(address, weightAt(address, step), CONNECTION_WEIGHT)
  if (step === RAMP_STEPS) return
  const missing = -f64.load(address, CONNECTION_RAMP_DUE)
  const isPaused = !isNew && missing > 0 && missing < Infinity
  scheduleStep(sim, connection, isPaused ? missing : stepUs(address))
}

export function onRampEvent(sim: i32, connection: i32): void {
  const address = connectionAddress(sim, connection)
  const current = i32.load(address, CONNECTION_CURRENT) !== 0 && f64.load(address, CONNECTION_RAMP_DUE) === f64.load(sim, SIM_NOW)
  const step = i32.load(address, CONNECTION_RAMP_STEP)
  if (!current || step >= RAMP_STEPS) return
  setStep(sim, connection, step + 1)
  if (step + 1 < RAMP_STEPS) scheduleStep(sim, connection, stepUs(address))
}

/** A connection left: whoever is now alone on the server's link has it whole. */
export function weighLeftBehind(sim: i32, left: i32): void {
  if (i32.load(sim, SIM_SHARE_ROWS) === 0) return
  const address = connectionAddress(sim, left)
  const serverLink = i32.load(address, CONNECTION_SERVER_LINK)
  const workerLink = i32.load(address, CONNECTION_WORKER_LINK)
  if (workerLink < 0) {
    const server = linkAddress(sim, serverLink)
    if (i32.load(server, LINK_CROSSING) === 1)
      setStep(sim, i32.load(i32.load(server, LINK_ORDER_FIRST), TAG_CONNECTION), RAMP_STEPS)
    return
  }
  weighAlone(sim, serverLink)
  // It also left the other host's link, where another server's connection may now be alone.
  if (workerLink < 2 * i32.load(sim, SIM_SERVERS)) weighAlone(sim, workerLink)
}

/** With worker links. */
function weighAlone(sim: i32, serverLink: i32): void {
  if (i32.load(linkAddress(sim, serverLink), LINK_CROSSING) !== 1) return
  const last = i32.load(sharingAddress(sim, serverLink), SHARING_CROSSING)
  // On a link that is also a worker's, what that worker exchanges with other servers is weighed at theirs.
  if (i32.load(connectionAddress(sim, last), CONNECTION_SERVER_LINK) === serverLink) setStep(sim, last, RAMP_STEPS)
}
