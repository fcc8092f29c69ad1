/** How a turn of a connection gets on the wire, and how a connection leaves it: alike for streams that take turns and for chunks. */
import { CLASS_NET, NET_JOIN, schedule } from './eventQueue'
import { CONNECTION_CURRENT, CONNECTION_IDLE_SINCE, CONNECTION_TURN_BYTES, SIM_NOW } from './layout'
import { continueWith, join, leave } from './links'
import { forgetRamp, weighLeftBehind, weighNewcomer } from './ramp'

/** `onLink`: the connection has just ended a turn. Else this one goes on the wire `delay` µs from now (queueing.ts). */
export function putOnWire(sim: i32, connection: i32, address: i32, worker: i32, bytes: f64, onLink: bool, delay: f64): void {
  if (onLink) {
    continueWith(sim, connection, bytes)
  } else if (delay > 0) {
    f64.store(address, bytes, CONNECTION_TURN_BYTES)
    forgetRamp(sim, connection)
    schedule(sim, f64.load(sim, SIM_NOW) + delay, CLASS_NET, worker, 4 * connection + NET_JOIN)
  } else {
    weighNewcomer(sim, connection)
    join(sim, connection, bytes)
  }
}

/** The connection, whose turn has just ended, has nothing to send. */
export function leaveWire(sim: i32, connection: i32, address: i32): void {
  i32.store(address, 0, CONNECTION_CURRENT)
  f64.store(address, f64.load(sim, SIM_NOW), CONNECTION_IDLE_SINCE)
  leave(sim, connection)
  weighLeftBehind(sim, connection)
}
