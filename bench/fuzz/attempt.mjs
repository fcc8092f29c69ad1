import { checkProfile, parseProfile, readProfile, serializeProfile, TraceError } from '@foretrain/trace-parser'
import { traceInMemory } from '../lib/paths.mjs'

/** Of the processor's time, so that a busy machine is no fault; of less than a quarter of a megabyte compiling and collecting take the most. */
const MS_A_MEGABYTE = 1000
const LEAST_MS = 250
/** Far above what a seed unpacks to, and far below what would be missed. */
const LIMITS = { maxFileBytes: 64e6, maxUnpackedBytes: 64e6, maxTimelineBytes: 64e6, maxRecords: 200_000 }
const LONGEST_MESSAGE = 1200

/**
 * Reads one input and holds it to what is promised of any: a sound profile or a refusal of one sentence, and soon.
 *
 * @param {{ bytes: Uint8Array, unpackedBytes: number, companions: Uint8Array[] }} input
 * @returns {Promise<{ isProfile: boolean, message: string, tookMs: number }>}
 * @throws Error that says what was broken
 */
export async function attempt(input) {
  const first = await read(input)
  const { profile, message } = first
  if (profile !== undefined) checkSound(profile)
  const allowedMs = Math.max(LEAST_MS, (MS_A_MEGABYTE * Math.max(input.bytes.length, input.unpackedBytes)) / 1e6)
  let { tookMs } = first
  // A compilation or a collection of garbage does not come three times in a row.
  for (let again = 0; again < 2 && tookMs > allowedMs; again++) tookMs = Math.min(tookMs, (await read(input)).tookMs)
  if (tookMs > allowedMs) throw new Error(`took ${tookMs.toFixed(0)} ms for ${input.bytes.length} bytes`)
  return { isProfile: profile !== undefined, message, tookMs }
}

/** @param {{ bytes: Uint8Array, companions: Uint8Array[] }} input */
async function read({ bytes, companions }) {
  const files = [...companions.map((one, i) => traceInMemory(`sound_${i}.pb`, one)), traceInMemory('damaged', bytes)]
  const began = process.cpuUsage()
  try {
    const { profile } = await readProfile(files, { limits: LIMITS })
    return { profile, message: '', tookMs: cpuMs(began) }
  } catch (error) {
    const tookMs = cpuMs(began)
    if (!(error instanceof TraceError)) throw error
    const { message } = error
    if (message === '' || message.length > LONGEST_MESSAGE)
      throw new Error(`a message of ${message.length} characters: ${message.slice(0, 200)}`)
    return { profile: undefined, message, tookMs }
  }
}

/** @param {NodeJS.CpuUsage} began */
function cpuMs(began) {
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}

/** @param {import('@foretrain/trace-parser').Profile} profile */
function checkSound(profile) {
  const found = checkProfile(profile)
  const told = new Set(profile.warnings.map(({ code, message }) => `${code} ${message}`))
  const untold = found.find(({ code, message }) => !told.has(`${code} ${message}`))
  if (untold !== undefined) throw new Error(`the self-check finds what is no warning: ${untold.code} ${untold.message}`)
  const unsound = found.find(({ code }) => code === 'unaccounted-records' || code === 'cycle' || code === 'dangling')
  if (unsound !== undefined) throw new Error(`the self-check finds ${unsound.message}`)
  const text = serializeProfile(profile)
  if (serializeProfile(parseProfile(text, 'saved.json')) !== text) throw new Error('the saved profile comes back changed')
}
