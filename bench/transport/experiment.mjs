/**
 * The raw TCP experiment of tcp_shares.sh in the simulator, with the share tables that are set at the moment. A burst is a chain of 200
 * transfers, so that the log shows its progress.
 */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadCore, Simulation } from '@foretrain/core-wasm'
import { sharesOf } from '@foretrain/predictor'

/**
 * @typedef {'pull' | 'push'} Direction
 * @typedef {{ worker: number, start: number, ends: number[] }} Burst start and the end of each chunk, s
 * @typedef {{ newcomerOverEstablished: Record<string, number[]>, pairShareStandardDeviation: number }} MeasuredRun
 */

const here = dirname(fileURLToPath(import.meta.url))
/** @type {Record<string, MeasuredRun>} */
export const measuredRuns = JSON.parse(readFileSync(join(here, 'measured-shares.json'), 'utf8'))
const core = await loadCore()
const CHUNKS = 200
const PAUSES = 40
/** @type {Record<number, { bytes: number, pauseUs: number }>} by Mbit/s */
const BURST = { 200: { bytes: 14e6, pauseUs: 0.7e6 }, 300: { bytes: 32e6, pauseUs: 0.9e6 }, 1000: { bytes: 100e6, pauseUs: 0.9e6 } }
const SECONDS = 200

/** Pause, then a burst; pauses between 0.7 and 1.3 times the mean. @param {{ bytes: number, pauseUs: number }} burst */
function jobOf({ bytes, pauseUs }) {
  const operations = CHUNKS + 1
  const kind = new Uint8Array(operations).fill(3)
  kind[0] = 0
  const successorStart = new Uint32Array(operations + 1).fill(CHUNKS)
  successorStart[0] = 0
  const amount = new Float64Array(PAUSES * operations).fill(bytes / CHUNKS)
  for (let i = 0; i < PAUSES; i++) amount[i * operations] = pauseUs * (0.7 + (0.6 * (i + 0.5)) / PAUSES)
  const dependencies = new Uint16Array(operations).fill(1)
  dependencies[0] = 0
  return {
    operations,
    templates: PAUSES,
    kind,
    server: new Uint16Array(operations),
    dependencies,
    successorStart,
    successors: Uint32Array.from({ length: CHUNKS }, (_, i) => i + 1),
    amount,
    releaseOperation: new Uint32Array(PAUSES),
    releaseUs: new Float64Array(PAUSES)
  }
}

/**
 * Bursts in order of their start.
 *
 * @param {number} flows
 * @param {number} rateMbps
 * @param {Direction} direction
 */
function simulate(flows, rateMbps, direction) {
  const goodput = (rateMbps / 8) * (1448 / 1514)
  const rows = sharesOf(goodput, 5000)[direction]
  const nic = { inBytesPerUs: goodput, outBytesPerUs: goodput }
  const cluster = {
    workers: Array.from({ length: flows }, () => ({ ...nic, computeScale: 1, latencyUs: 50 })),
    servers: [{ ...nic, updateScale: 1 }],
    computeSlots: 1,
    updateSlots: 1,
    workerParse: { slots: 1, perByteUs: 0, fixedUs: 0 },
    serverParse: { slots: 1, perByteUs: 0, fixedUs: 0 },
    turns: { first: Number.POSITIVE_INFINITY, later: Number.POSITIVE_INFINITY },
    stepOverheadUs: 0,
    ackFraction: 0,
    shares: { pull: rows, push: rows }
  }
  const options = { seed: 1, replication: 0, phaseSpanUs: 1.5e6, logWorkers: flows }
  const simulation = new Simulation(core, jobOf(BURST[rateMbps]), cluster, options)
  while (simulation.timeUs < SECONDS * 1e6) simulation.run(Number.MAX_SAFE_INTEGER, 20_000)
  /** @type {Map<string, Burst>} */
  const bursts = new Map()
  for (const { worker, step, operation, startUs, wireEndUs } of simulation.log()) {
    if (operation === 0) continue
    const key = `${worker}:${step}`
    const burst = bursts.get(key) ?? { worker, start: startUs / 1e6, ends: [] }
    bursts.set(key, burst)
    burst.ends.push(wireEndUs / 1e6)
  }
  simulation.free()
  return [...bursts.values()].filter(burst => burst.ends.length === CHUNKS).sort((a, b) => a.start - b.start)
}

/** @param {Burst} burst */
const endOf = burst => burst.ends[CHUNKS - 1]

/**
 * Chunks sent between two moments, interpolated within a chunk.
 *
 * @param {Burst} burst
 * @param {number} from
 * @param {number} to
 */
function sent(burst, from, to) {
  const at = (/** @type {number} */ time) => {
    if (time <= burst.start) return 0
    const next = burst.ends.findIndex(end => end > time)
    if (next < 0) return CHUNKS
    const begin = next === 0 ? burst.start : burst.ends[next - 1]
    return next + (time - begin) / (burst.ends[next] - begin)
  }
  return at(to) - at(from)
}

/** As summarise.py does it with logs. @param {Burst[]} bursts @returns {Outcome} */
function summarise(bursts) {
  const ratios = new Map()
  for (const burst of bursts) {
    const others = bursts.filter(
      other => other.worker !== burst.worker && other.start < burst.start - 0.1 && endOf(other) > burst.start + 0.05
    )
    for (let step = 0; others.length > 0 && step < 75; step++) {
      const at = burst.start + step * 0.02
      const stayed = others.every(other => endOf(other) > at + 0.03)
      const joined = bursts.some(other => other.worker !== burst.worker && other.start > burst.start && other.start < at)
      if (at > endOf(burst) - 0.03 || joined || !stayed) break
      const key = `${others.length},${Math.floor(step / 5)}`
      const sum = ratios.get(key) ?? { mine: 0, theirs: 0, count: 0 }
      sum.mine += sent(burst, at, at + 0.02)
      sum.theirs += others.reduce((total, other) => total + sent(other, at, at + 0.02), 0) / others.length
      sum.count += 1
      ratios.set(key, sum)
    }
  }
  const shares = bursts.flatMap(a =>
    bursts.flatMap(b => {
      const [low, high] = [Math.max(a.start, b.start), Math.min(endOf(a), endOf(b))]
      if (b.worker <= a.worker || high - low < 0.3) return []
      const [mine, other] = [sent(a, low, high), sent(b, low, high)]
      return [mine / (mine + other)]
    })
  )
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
  const deviation = Math.sqrt(shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / shares.length)
  return { ratios, deviation }
}

/**
 * @typedef {{ ratios: Map<string, { mine: number, theirs: number, count: number }>, deviation: number }} Outcome newcomers over others by
 *   "number of others, tenth of a second"; standard deviation of a pair's share
 */

/** @param {string} name of a measured run @returns {Outcome} */
export function simulateRun(name) {
  const match = /^(pull|push)-(\d)-flows-(\d+)Mbps$/.exec(name)
  if (match === null) throw new Error(`${name}: the names of runs are like pull-4-flows-300Mbps`)
  return summarise(simulate(Number(match[2]), Number(match[3]), match[1] === 'pull' ? 'pull' : 'push'))
}

/** Newcomers are compared in so many tenths of a second. */
export const COMPARED_TENTHS = 10

/**
 * Root mean square of the deviations (natural logarithm) from the measured runs with more than two flows: of newcomers beside so many others, two or more,
 * in a run (a row; its tenths of a second hang together, so they count as one), and of the spread of a pair's shares in a run.
 */
export function rawMisfit() {
  const runs = Object.entries(measuredRuns).filter(([name]) => !name.includes('-2-flows-'))
  const squares = runs.map(([name, { newcomerOverEstablished, pairShareStandardDeviation }]) => {
    const { ratios, deviation } = simulateRun(name)
    const rows = Object.entries(newcomerOverEstablished).flatMap(([others, row]) => {
      const tenths = row.slice(0, COMPARED_TENTHS).flatMap((/** @type {number} */ ratio, /** @type {number} */ tenth) => {
        const sum = ratios.get(`${others},${tenth}`)
        return others === '1' || sum === undefined ? [] : [Math.log(sum.mine / sum.theirs / ratio) ** 2]
      })
      return tenths.length > 0 ? [mean(tenths)] : []
    })
    return { rows, spread: Math.log(deviation / pairShareStandardDeviation) ** 2 }
  })
  const rows = squares.flatMap(one => one.rows)
  return {
    rows: rows.length,
    newcomer: Math.sqrt(mean(rows)),
    runs: runs.length,
    spread: Math.sqrt(mean(squares.map(one => one.spread)))
  }
}

/** @param {readonly number[]} values */
function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
