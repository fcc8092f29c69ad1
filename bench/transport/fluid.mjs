#!/usr/bin/env node
/** What the fluid model says of a newcomer beside 1, 2, 3 and 7 others, in tenths of a second: `node bench/transport/fluid.mjs`. */
import { Flow, makeRandom, runCubic } from './cubic.mjs'

const RUNS = 60
const TENTHS = 10
/** The measured tbf: 5 ms and a bucket of 192 kB. */
const bufferOf = bytesPerS => 0.005 + 196608 / bytesPerS
const roundTripS = 0.0002

/** Bytes of the newcomer over those of a mean other. */
function ratios(bytesPerS, others) {
  const bufferS = bufferOf(bytesPerS)
  const fullWindow = (bytesPerS * bufferS) / 1448
  const mine = new Float64Array(TENTHS)
  const theirs = new Float64Array(TENTHS)
  for (let run = 0; run < RUNS; run++) {
    const random = makeRandom(12345 + 77 * run)
    const flows = Array.from({ length: others }, () => {
      const flow = new Flow((fullWindow / others) * (0.5 + random()))
      flow.slowStart = false
      flow.threshold = flow.window
      flow.beginEpoch(0, false)
      return flow
    })
    const settledS = 3 + 3 * random()
    runCubic({ flows, bytesPerS, bufferS, roundTripS, durationS: settledS, random })
    const newcomer = new Flow(10)
    // It remembers the threshold of its last loss (RFC 5681 §4.1), which was near a full queue.
    newcomer.threshold = 0.7 * fullWindow
    flows.push(newcomer)
    const onStep = (now, elapsedS) => {
      const tenth = Math.floor((now - settledS) * 10)
      if (tenth >= TENTHS) return
      mine[tenth] += newcomer.share * elapsedS
      for (const flow of flows.slice(0, others)) theirs[tenth] += (flow.share * elapsedS) / others
    }
    runCubic({ flows, bytesPerS, bufferS, roundTripS, durationS: 1, random, onStep, fromS: settledS })
  }
  return mine.map((bytes, i) => bytes / theirs[i])
}

for (const mbps of [200, 300, 1000]) {
  const bytesPerS = ((mbps * 1e6) / 8) * (1448 / 1514)
  for (const others of [1, 2, 3, 7]) {
    const row = Array.from(ratios(bytesPerS, others).slice(0, 5), ratio => ratio.toFixed(2))
    console.log(`${mbps} Mbit/s beside ${others}: ${row.join(' ')}`)
  }
}
