/** Steps of a filling (waterFilling.ts): what a link still has to give, and what becomes of a connection. */
import {
  CONNECTION_FLOW,
  CONNECTION_FLOW_LINK,
  CONNECTION_FOUND_LINK,
  CONNECTION_LINK,
  CONNECTION_WEIGHT,
  CONNECTION_WIRE_BYTES,
  FLOW_FIXED,
  LINK_CAPACITY,
  LINK_CLOCK,
  LINK_LEVEL,
  LINK_ORDER,
  LINK_REST_CAPACITY,
  LINK_REST_COUNT,
  LINK_REST_WEIGHT,
  SHARING_TAKEN,
  SHARING_WEIGHT,
  SHARING_WEIGHT_COUNT,
  TAG_BYTES,
  TAG_VALUE
} from './layout'
import { advanceClock, connectionAddress, effectiveCapacity, linkAddress } from './linkClock'
import { sharingAddress } from './standing'
import { insertTag, linkPositions, positionOf, removeTag } from './tagOrder'

/** All that the server's link has, less what the sums of workers not looked at one by one take of it. */
export function emptyServer(sim: i32, serverLink: i32): void {
  const link = linkAddress(sim, serverLink)
  const sharing = sharingAddress(sim, serverLink)
  const rest = effectiveCapacity(sim, link) - f64.load(sharing, SHARING_TAKEN)
  advanceClock(sim, link)
  f64.store(link, rest > 0 ? rest : 0, LINK_REST_CAPACITY)
  f64.store(link, f64.load(sharing, SHARING_WEIGHT), LINK_REST_WEIGHT)
  i32.store(link, i32.load(sharing, SHARING_WEIGHT_COUNT), LINK_REST_COUNT)
  // If it limits nobody: nobody's threshold is passed, unless the sums take more than there is.
  f64.store(link, rest < 0 ? 0 : Infinity, LINK_LEVEL)
}

/** The connection, open, wants of the link. */
export function demand(link: i32, weight: f64): void {
  f64.store(link, f64.load(link, LINK_REST_WEIGHT) + weight, LINK_REST_WEIGHT)
  i32.store(link, i32.load(link, LINK_REST_COUNT) + 1, LINK_REST_COUNT)
}

/** The level at which the link, which has demand left, would be full. */
export function fullLevel(link: i32): f64 {
  return f64.load(link, LINK_REST_CAPACITY) / f64.load(link, LINK_REST_WEIGHT)
}

/** The level at which the connection has all that its own limit allows. */
export function limitLevel(sim: i32, connection: i32): f64 {
  const address = connectionAddress(sim, connection)
  const limit = f64.load(linkAddress(sim, i32.load(address, CONNECTION_FLOW_LINK)), LINK_CAPACITY)
  return limit / f64.load(address, CONNECTION_WEIGHT)
}

/** The connection's bottleneck is found. */
export function fix(connection: i32, bottleneck: i32): void {
  i32.store(connection, FLOW_FIXED, CONNECTION_FLOW)
  i32.store(connection, bottleneck, CONNECTION_FOUND_LINK)
}

/** The link gives a connection of that weight that rate. */
export function give(link: i32, weight: f64, rate: f64): void {
  const rest = f64.load(link, LINK_REST_CAPACITY) - rate
  f64.store(link, rest > 0 ? rest : 0, LINK_REST_CAPACITY)
  f64.store(link, f64.load(link, LINK_REST_WEIGHT) - weight, LINK_REST_WEIGHT)
  i32.store(link, i32.load(link, LINK_REST_COUNT) - 1, LINK_REST_COUNT)
}

/** Moves the connection to the clock of the bottleneck just found. */
export function attach(sim: i32, connectionNumber: i32): void {
  const connection = connectionAddress(sim, connectionNumber)
  const found = i32.load(connection, CONNECTION_FOUND_LINK)
  const old = i32.load(connection, CONNECTION_LINK)
  if (found === old) return
  const weight = f64.load(connection, CONNECTION_WEIGHT)
  let rest = f64.load(connection, CONNECTION_WIRE_BYTES)
  if (old >= 0) {
    const link = linkAddress(sim, old)
    const position = positionOf(linkPositions(sim), connectionNumber)
    rest = (f64.load(i32.load(link, LINK_ORDER) + position * TAG_BYTES, TAG_VALUE) - f64.load(link, LINK_CLOCK)) * weight
    removeTag(linkPositions(sim), link + LINK_ORDER, position)
  }
  const link = linkAddress(sim, found)
  const tag = f64.load(link, LINK_CLOCK) + rest / weight
  insertTag(linkPositions(sim), link + LINK_ORDER, tag, connectionNumber)
  i32.store(connection, found, CONNECTION_LINK)
}
