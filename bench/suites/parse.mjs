import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { readProfile } from '@foretrain/trace-parser'
import { secondsPerCall } from '../lib/callsPerSecond.mjs'
import { freshProcess } from '../lib/freshProcess.mjs'
import { interleave } from '../lib/interleave.mjs'
import { benchFolder, resnet, traceFiles, traceInMemory } from '../lib/paths.mjs'
import { rowOf } from '../lib/row.mjs'
import { withTemporaryFolder } from '../lib/temporaryFolder.mjs'

export const title = 'the traces of one worker to a profile'

const barSeconds = 1
const parseOnce = join(benchFolder, 'lib/parseOnce.mjs')

/** @param {{ quick: boolean }} options */
export function run({ quick }) {
  return withTemporaryFolder(async folder => {
    const packed = traceFiles(resnet).map(path => ({ name: basename(path), path, content: readFileSync(path) }))
    const unpacked = packed.map(({ name, content }) => ({
      name: basename(name, '.gz'),
      path: join(folder, basename(name, '.gz')),
      content: gunzipSync(content)
    }))
    for (const { path, content } of unpacked) writeFileSync(path, content)
    const read = (/** @type {typeof packed} */ files) => readProfile(files.map(({ name, content }) => traceInMemory(name, content)))

    const warm = await secondsPerCall(
      {
        'gunzip alone': () => packed.map(({ content }) => gunzipSync(content)),
        'unpacked, warm': () => read(unpacked),
        'gzip, warm': () => read(packed)
      },
      quick ? 0.5 : 4
    )
    const secondsOf = async (/** @type {string[]} */ ...nodeArguments) => (await freshProcess(nodeArguments)).seconds
    const cold = await interleave(
      {
        'empty process': () => secondsOf('--eval', '0'),
        'unpacked, cold process': () => secondsOf(parseOnce, ...unpacked.map(file => file.path)),
        'gzip, cold process': () => secondsOf(parseOnce, ...packed.map(file => file.path))
      },
      quick ? 1 : 5
    )
    const sizes = unpacked.map(file => file.content.length)
    const total = (/** @type {typeof packed} */ files) =>
      (files.reduce((sum, file) => sum + file.content.length, 0) / 1e6).toFixed(1)
    return {
      rows: [
        ...Object.entries(warm).map(([name, samples]) =>
          rowOf(
            name,
            'ms',
            samples.map(seconds => seconds * 1000)
          )
        ),
        ...Object.entries(cold).map(([name, samples]) =>
          rowOf(name, 's', samples, name.endsWith('cold process') ? { bar: barSeconds } : {})
        )
      ],
      notes: [
        `${packed.length} RunMetadata files of ${resnet}: ${Math.round(Math.min(...sizes) / 1e3)} to ${Math.round(Math.max(...sizes) / 1e3).toLocaleString('en-US')} kB unpacked, ${total(unpacked)} MB together, ${total(packed)} MB as gzip.`,
        'Warm: from memory, with benchmark.js. Cold: from disk in a fresh process each time, its start included.'
      ]
    }
  })
}
