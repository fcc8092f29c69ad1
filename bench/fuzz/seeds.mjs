import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { timeline } from '@foretrain/predictor'
import { readProfile, serializeProfile } from '@foretrain/trace-parser'
import { benchFolder, root, traceInMemory } from '../lib/paths.mjs'

/**
 * What mutations begin with: for each importer a file that it imports, of a real job.
 *
 * @typedef {object} Seed
 * @property {Uint8Array} bytes unpacked
 * @property {'protobuf' | 'text' | 'json' | 'events'} structure how mutations see it
 * @property {Uint8Array[]} companions sound steps that a file may be read with; those of a TensorFlow timeline tell its sizes
 */

/** @param {string} path */
const unpack = path => new Uint8Array(gunzipSync(readFileSync(path)))
/** @param {string} name made by make_seeds.py */
const made = name => unpack(join(benchFolder, 'fuzz/seeds', `${name}.gz`))
/** @param {string} step of the small job of examples/capture */
const captured = step => unpack(join(benchFolder, 'capture/traces/session', `run_metadata_${step}.pb.gz`))

/** @returns {Promise<Record<string, Seed>>} by the name of the format */
export async function makeSeeds() {
  const companions = [captured('000'), captured('001')]
  const { profile } = await readProfile(companions.map((bytes, i) => traceInMemory(`step_${i}.pb`, bytes)))
  const { chunks } = await timeline({ profile, workers: [2] }, { window: { kind: 'steps', count: 2 }, tracedWorkers: [0] })
  let drawn = ''
  for await (const chunk of chunks) drawn += chunk
  /** @param {Seed['structure']} structure @param {Uint8Array} bytes */
  const seed = (structure, bytes) => ({ structure, bytes, companions })
  return {
    RunMetadata: seed('protobuf', captured('018')),
    'RunMetadata with partition graphs': seed('protobuf', captured('019')),
    'RunMetadata of 1,000 records': {
      ...seed('protobuf', unpack(join(root, 'examples/alexnet-1000/trace/run_metadata_014.pb.gz'))),
      companions: []
    },
    StepStats: seed('protobuf', made('step_stats.pb')),
    'RunMetadata as text': seed('text', made('run_metadata.pbtxt')),
    'StepStats as text': seed('text', made('step_stats.pbtxt')),
    'event file': seed('events', made('events.out.tfevents')),
    'timeline of TensorFlow': seed('json', made('timeline.json')),
    'timeline of foretrain': { ...seed('json', new TextEncoder().encode(drawn)), companions: [] },
    'saved profile': { ...seed('json', new TextEncoder().encode(serializeProfile(profile))), companions: [] }
  }
}
