import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { readTrace } from '@foretrain/trace-parser'
import { cpuTimeOf } from '../lib/cpuTime.mjs'
import { freshProcess } from '../lib/freshProcess.mjs'
import { interleave } from '../lib/interleave.mjs'
import { command, resnet, traceFiles, traceInMemory } from '../lib/paths.mjs'
import { rowOf } from '../lib/row.mjs'
import { withTemporaryFolder } from '../lib/temporaryFolder.mjs'
import { Event, RunMetadata, StepStats } from '../lib/tensorflowSchema.mjs'
import { asEventFile, asText, asTimeline, sizesOf } from '../lib/traceForms.mjs'

export const title = 'files of each format to records, beside a plain decoding of the same bytes'

const warmingRounds = 3

/** @param {Uint8Array} bytes */
const parseJson = bytes => JSON.parse(new TextDecoder().decode(bytes))

/**
 * Decodes each Event of an event file, its checksums not looked at.
 *
 * @param {Buffer} bytes
 */
function decodeEvents(bytes) {
  for (let at = 0; at < bytes.length; ) {
    const end = at + 12 + bytes.readUInt32LE(at)
    Event.decode(bytes.subarray(at + 12, end))
    at = end + 4
  }
}

/** What `foretrain timeline` writes of one worker of the measured cluster. */
function ownTimeline() {
  return withTemporaryFolder(async folder => {
    const path = join(folder, 'own.json')
    await freshProcess([command, 'timeline', ...traceFiles(resnet), '--workers', '1', '--window', '10steps', '--out', path])
    return readFileSync(path)
  })
}

/** @param {{ quick: boolean }} options */
export async function run({ quick }) {
  const packed = traceFiles(resnet).map(path => readFileSync(path))
  const binary = packed.map(content => gunzipSync(content))
  const decoded = binary.map(content => /** @type {any} */ (RunMetadata.toObject(RunMetadata.decode(content))))
  const sizes = sizesOf(decoded[0].step_stats)
  const text = decoded.map(message => Buffer.from(asText(message)))
  const own = await ownTimeline()

  /** @type {Array<{ name: string, files: Buffer[], plain?: (bytes: Buffer) => unknown }>} */
  const formats = [
    { name: 'RunMetadata', files: binary, plain: bytes => RunMetadata.decode(bytes) },
    { name: 'RunMetadata, gzip', files: packed, plain: bytes => RunMetadata.decode(gunzipSync(bytes)) },
    {
      name: 'StepStats',
      files: decoded.map(({ step_stats }) => Buffer.from(StepStats.encode(step_stats).finish())),
      plain: bytes => StepStats.decode(bytes)
    },
    { name: 'RunMetadata as text', files: text },
    { name: 'RunMetadata as text, gzip', files: text.map(content => gzipSync(content)) },
    { name: 'event file', files: [asEventFile(decoded)], plain: decodeEvents },
    { name: 'timeline of TensorFlow', files: decoded.map(one => Buffer.from(asTimeline(one.step_stats))), plain: parseJson },
    { name: 'timeline of foretrain', files: [own], plain: parseJson }
  ]
  const rows = []
  for (const { name, files, plain } of formats) {
    const megabytes = files.reduce((sum, { length }) => sum + length, 0) / 1e6
    const foretrain = async () => {
      for (const content of files) await readTrace(traceInMemory(name, content), undefined, sizes)
    }
    const decode = () => {
      for (const content of files) plain?.(content)
    }
    await interleave({ foretrain, decode }, warmingRounds)
    const samples = await interleave(
      { foretrain: () => cpuTimeOf(foretrain), ...(plain && { 'plain decoding': () => cpuTimeOf(decode) }) },
      quick ? 2 : 11
    )
    rows.push(rowOf(name, 'MB', [megabytes], { measure: 'size' }))
    for (const [measure, times] of Object.entries(samples)) {
      const speeds = times.map(({ seconds }) => megabytes / seconds)
      rows.push(rowOf(name, 'MB/s', speeds, { measure }))
    }
  }
  return {
    rows,
    notes: [
      `The 20 steps of ${resnet} in every form, from memory, warm, by the processor's time; a MB is of the file as it is stored. foretrain: all that is checked is checked, the records are made, and transfers of TensorFlow's timelines completed by given sizes; no profile is extracted.`,
      'Plain decoding: JSON.parse of the whole text, or protobufjs with a schema compiled from TensorFlow’s (64-bit numbers as doubles); event files without their checksums. Text format has no decoder in JavaScript to hold it against.'
    ]
  }
}
