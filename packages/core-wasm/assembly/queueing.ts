/**
 * Latency that depends on load (docs/method.md §5): while another worker's bulk data keeps the buffer in front of a server's link full, whatever
 * comes later waits there for the time that the buffer holds. SIM_QUEUE has it for a server's outgoing (pull) and incoming (push) link, as far
 * as requests and results wait there, SIM_START_DELAY for the first turn of a connection: measured ramps may contain the latter already.
 */
import {
  CONNECTION_SERVER_LINK,
  LINK_CROSSING,
  SERVER_BYTES,
  SERVER_PULLED,
  SIM_COLOCATED,
  SIM_QUEUE,
  SIM_SERVER_STATE,
  SIM_SERVERS,
  SIM_START_DELAY
} from './layout'
import { connectionAddress, directionOf, linkAddress } from './linkClock'

/** How much later than now a connection that turns busy gets its first turn on the wire. */
export function startDelay(sim: i32, connection: i32): f64 {
  const delay = f64.load(sim + 8 * directionOf(sim, connection), SIM_START_DELAY)
  if (delay === 0) return 0
  const link = linkAddress(sim, i32.load(connectionAddress(sim, connection), CONNECTION_SERVER_LINK))
  return i32.load(link, LINK_CROSSING) > 0 ? delay : 0
}

/** The server on the worker's host, which it reaches without any link; −1: none. */
function serverOnHost(sim: i32, worker: i32): i32 {
  return i32.load(sim, SIM_COLOCATED) !== 0 ? worker : -1
}

/** How much later the requests of a step that begins now reach its servers. A worker between steps has nothing on any link: who is there is another. */
export function requestDelay(sim: i32, worker: i32): f64 {
  const delay = f64.load(sim, SIM_QUEUE + 8)
  if (delay === 0) return 0
  const servers = i32.load(sim, SIM_SERVERS)
  const own = serverOnHost(sim, worker)
  for (let server = 0; server < servers; server++) {
    if (server === own) continue
    const pulled = i32.load(i32.load(sim, SIM_SERVER_STATE) + server * SERVER_BYTES, SERVER_PULLED) !== 0
    if (pulled && i32.load(linkAddress(sim, servers + server), LINK_CROSSING) > 0) return delay
  }
  return 0
}

/** How much later the worker hears that the last operation of its step, complete now, is complete. */
export function resultDelay(sim: i32, worker: i32): f64 {
  const delay = f64.load(sim, SIM_QUEUE)
  if (delay === 0) return 0
  const servers = i32.load(sim, SIM_SERVERS)
  const own = serverOnHost(sim, worker)
  for (let server = 0; server < servers; server++) {
    if (server !== own && i32.load(linkAddress(sim, server), LINK_CROSSING) > 0) return delay
  }
  return 0
}
