import { Worker } from 'node:worker_threads'

/** An input that takes longer hangs; several times what the slowest may take on a busy machine. */
const HANG_MS = 30_000
/** Of the worker's heap: many times what any seed needs. */
const HEAP_MB = 400
const HIGH_MEMORY_BYTES = 900e6

/**
 * @typedef {object} Finding
 * @property {import('./plan.mjs').Plan | undefined} plan the smallest that fast-check found
 * @property {string} message
 *
 * @typedef {{ tried: number, imported: number, refused: Map<string, number>, slowestMsPerMegabyte: number }} Tally
 * @typedef {{ tallies: Map<string, Tally>, findings: Finding[], peakMemoryBytes: number }} Outcome
 */

/**
 * Tries mutated inputs on every importer.
 *
 * @param {{ minutes: number, seed: number, progress?: (outcome: Outcome) => void }} options
 * @returns {Promise<Outcome>}
 */
export async function fuzz({ minutes, seed, progress = () => undefined }) {
  const deadline = Date.now() + minutes * 60_000
  /** @type {Outcome} */
  const outcome = { tallies: new Map(), findings: [], peakMemoryBytes: 0 }
  for (let part = 0; Date.now() < deadline || part === 0; part++) {
    // After a hang or a crash a new worker goes on from other seeds.
    await runWorker({ seed: seed + 1_000_000 * part, deadline }, outcome, progress)
  }
  return outcome
}

/** @param {{ seed: number, deadline: number }} workerData @param {Outcome} outcome @param {(outcome: Outcome) => void} progress */
function runWorker(workerData, outcome, progress) {
  return new Promise(resolve => {
    const worker = new Worker(new URL('./worker.mjs', import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB }
    })
    /** @type {import('./plan.mjs').Plan | undefined} */
    let current
    let heard = Date.now()
    /** @param {string} message */
    const give = message => {
      outcome.findings.push({ plan: current, message })
      worker.terminate()
    }
    const watch = setInterval(() => {
      const { rss } = process.memoryUsage()
      outcome.peakMemoryBytes = Math.max(outcome.peakMemoryBytes, rss)
      if (rss > HIGH_MEMORY_BYTES) give(`${(rss / 1e6).toFixed(0)} MB of memory`)
      else if (Date.now() - heard > HANG_MS) give(`hangs: nothing for ${HANG_MS / 1000} s`)
      else progress(outcome)
    }, 1000)
    worker.on('message', said => {
      heard = Date.now()
      if (said.begins !== undefined) current = said.begins
      else if (said.ended !== undefined) note(outcome, said.ended)
      else if (said.found !== undefined) outcome.findings.push(said.found)
    })
    worker.on('error', error => outcome.findings.push({ plan: current, message: String(error.stack ?? error) }))
    worker.on('exit', () => {
      clearInterval(watch)
      resolve(undefined)
    })
  })
}

/** @param {Outcome} outcome @param {{ seed: string, isProfile: boolean, message: string, tookMs: number, bytes: number }} ended */
function note({ tallies }, { seed, isProfile, message, tookMs, bytes }) {
  const tally = tallies.get(seed) ?? { tried: 0, imported: 0, refused: new Map(), slowestMsPerMegabyte: 0 }
  tallies.set(seed, tally)
  tally.tried++
  if (isProfile) tally.imported++
  else {
    const kind = kindOf(message)
    tally.refused.set(kind, (tally.refused.get(kind) ?? 0) + 1)
  }
  // Of small inputs the time says more about the machine.
  if (bytes > 30_000) tally.slowestMsPerMegabyte = Math.max(tally.slowestMsPerMegabyte, (1e6 * tookMs) / bytes)
}

/** Refusals that differ in names and numbers only are of one kind. @param {string} message */
function kindOf(message) {
  return message.replace(/"[^"]*"|\([^()]*\)|\S*\d\S*|\/\S*/g, '…').slice(0, 60)
}
