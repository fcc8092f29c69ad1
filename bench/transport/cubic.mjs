/**
 * A fluid model of TCP CUBIC flows that share one drop-tail queue: what theory says of how newcomers share
 * (README.md beside it holds it against measurements).
 *
 * Time advances in steps much shorter than a round trip. A flow sends cwnd a round trip; the queue grows by what exceeds the link; when it is
 * full the excess is lost, and each lost segment belongs to a flow with probability proportional to its rate; a flow that lost a segment
 * learns of it a round trip later and reacts once. Sources: RFC 9438 (CUBIC: C = 0.4, β = 0.7, fast convergence, Reno-friendly region),
 * RFC 5681 §4.1 and Linux tcp_slow_start_after_idle (after an idle retransmission time-out a flow starts again with 10 segments).
 */
const SEGMENT_BYTES = 1448
const CUBIC_C = 0.4
const BETA = 0.7
const INITIAL_WINDOW = 10

/** xorshift32: the model is reproducible. */
export function makeRandom(seed) {
  let state = seed | 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

class Flow {
  constructor(window) {
    this.window = window
    this.threshold = Infinity
    this.slowStart = window <= INITIAL_WINDOW
    this.origin = window
    this.lastMax = window
    this.epochS = 0
    this.k = 0
    this.renoWindow = window
    this.reactAtS = Infinity
    this.quietUntilS = 0
    this.active = true
    this.sentBytes = 0
  }

  beginEpoch(now, fromLoss) {
    this.slowStart = false
    this.epochS = now
    this.renoWindow = this.window
    if (fromLoss) {
      this.k = Math.cbrt((this.origin - this.window) / CUBIC_C)
    } else {
      this.origin = this.window
      this.k = 0
    }
  }

  grow(now, elapsedS, roundTripS) {
    if (this.slowStart) {
      if (this.window >= this.threshold) this.beginEpoch(now, false)
      else {
        this.window *= 2 ** (elapsedS / roundTripS)
        return
      }
    }
    const t = now + roundTripS - this.epochS - this.k
    const cubic = this.origin + CUBIC_C * t * t * t
    this.renoWindow += ((3 * (1 - BETA)) / (1 + BETA)) * (elapsedS / roundTripS)
    const target = Math.max(cubic, this.renoWindow)
    // At most half a window a round trip (RFC 9438 §4.4).
    if (target > this.window) this.window += Math.min(target - this.window, this.window * 0.5 * (elapsedS / roundTripS))
  }

  lose(now, roundTripS) {
    if (now < this.quietUntilS || this.reactAtS !== Infinity) return
    this.reactAtS = now + roundTripS
  }

  react(now, roundTripS) {
    this.origin = this.window < this.lastMax ? (this.window * (1 + BETA)) / 2 : this.window
    this.lastMax = this.window
    this.window = Math.max(2, this.window * BETA)
    this.threshold = this.window
    this.beginEpoch(now, true)
    this.reactAtS = Infinity
    this.quietUntilS = now + roundTripS
  }
}

/**
 * Runs `flows` on a link of `bytesPerS` behind a buffer of `bufferS` seconds with `roundTripS` without queue.
 * `onStep(nowS, elapsedS, rates)` sees the rates in bytes per second that leave the queue.
 */
export function runCubic({ flows, bytesPerS, bufferS, roundTripS, durationS, random, onStep, fromS = 0 }) {
  const bufferBytes = bufferS * bytesPerS
  let queueBytes = bufferBytes / 2
  const stepS = Math.min(0.0005, bufferS / 10)
  for (let now = fromS; now < fromS + durationS; now += stepS) {
    const queueDelayS = queueBytes / bytesPerS
    const rtt = roundTripS + queueDelayS
    let offered = 0
    for (const flow of flows) {
      flow.rate = flow.active ? (flow.window * SEGMENT_BYTES) / rtt : 0
      offered += flow.rate
    }
    let next = queueBytes + (offered - bytesPerS) * stepS
    const lostSegments = Math.max(0, next - bufferBytes) / SEGMENT_BYTES
    if (lostSegments > 0) {
      for (const flow of flows) {
        if (flow.active && random() < 1 - Math.exp((-lostSegments * flow.rate) / offered)) flow.lose(now, rtt)
      }
      next = bufferBytes
    }
    queueBytes = Math.max(0, next)
    const leaving = Math.min(bytesPerS, offered)
    for (const flow of flows) {
      if (!flow.active) continue
      flow.share = offered > 0 ? (flow.rate / offered) * leaving : 0
      flow.sentBytes += flow.share * stepS
      if (now >= flow.reactAtS) flow.react(now, rtt)
      else flow.grow(now, stepS, rtt)
    }
    onStep?.(now, stepS, flows)
  }
}

export { Flow }
