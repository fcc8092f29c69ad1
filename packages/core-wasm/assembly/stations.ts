/** The stations of the hosts: who holds which slots, and for how long. */
import {
  SERVER_BYTES,
  SERVER_MESSAGE_BUSY,
  SERVER_UPDATE_BUSY,
  SERVER_UPDATE_SCALE,
  SERVER_UPDATE_SLOTS,
  SIM_MESSAGE_SLOTS,
  SIM_NOW,
  SIM_SERVER_PARSE_SLOTS,
  SIM_SERVER_STATE,
  SIM_SERVER_STATION,
  SIM_STATION,
  SIM_UPDATE_SLOTS
} from './layout'
import { occupy, stationBytes } from './slots'
import { workerAddress } from './workers'

/** Stations of a worker: compute, then parse. */
export function workerStations(sim: i32, worker: i32): i32 {
  return workerAddress(sim, worker) + i32.load(sim, SIM_STATION)
}

/** Stations of a server: update, then parse, then message. */
export function serverStations(sim: i32, server: i32): i32 {
  const parsing = stationBytes(i32.load(sim, SIM_SERVER_PARSE_SLOTS)) + stationBytes(i32.load(sim, SIM_MESSAGE_SLOTS))
  return i32.load(sim, SIM_SERVER_STATION) + server * (stationBytes(i32.load(sim, SIM_UPDATE_SLOTS)) + parsing)
}

/** Holds a message slot of the server for `serviceUs`; returns the end. */
export function prepareMessage(sim: i32, server: i32, serviceUs: f64): f64 {
  countMessage(sim, server, serviceUs)
  const own = i32.load(sim, SIM_MESSAGE_SLOTS)
  const parse = serverStations(sim, server) + stationBytes(i32.load(sim, SIM_UPDATE_SLOTS))
  const parseSlots = i32.load(sim, SIM_SERVER_PARSE_SLOTS)
  const now = f64.load(sim, SIM_NOW)
  const start = own > 0 ? occupy(parse + stationBytes(parseSlots), own, now, serviceUs) : occupy(parse, parseSlots, now, serviceUs)
  return start + serviceUs
}

export function countMessage(sim: i32, server: i32, serviceUs: f64): void {
  const state = i32.load(sim, SIM_SERVER_STATE) + server * SERVER_BYTES
  f64.store(state, f64.load(state, SERVER_MESSAGE_BUSY) + serviceUs, SERVER_MESSAGE_BUSY)
}

/** How long an update of `amountUs` takes the server. */
export function updateTime(sim: i32, server: i32, amountUs: f64): f64 {
  return amountUs * f64.load(i32.load(sim, SIM_SERVER_STATE) + server * SERVER_BYTES, SERVER_UPDATE_SCALE)
}

/** Takes an update slot of the server from `arrivalUs` on, when one is free, for `serviceUs`; returns the start. */
export function update(sim: i32, server: i32, arrivalUs: f64, serviceUs: f64): f64 {
  const state = i32.load(sim, SIM_SERVER_STATE) + server * SERVER_BYTES
  f64.store(state, f64.load(state, SERVER_UPDATE_BUSY) + serviceUs, SERVER_UPDATE_BUSY)
  return occupy(serverStations(sim, server), i32.load(state, SERVER_UPDATE_SLOTS), arrivalUs, serviceUs)
}
