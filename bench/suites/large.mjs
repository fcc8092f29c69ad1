import { createReadStream, createWriteStream, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { freshProcess } from '../lib/freshProcess.mjs'
import { sizesOfLargeTimeline, writeLargeTimeline } from '../lib/largeTimeline.mjs'
import { command } from '../lib/paths.mjs'
import { rowOf } from '../lib/row.mjs'
import { withTemporaryFolder } from '../lib/temporaryFolder.mjs'

export const title = 'a timeline beyond the longest string'

const barMB = 300
const barSeconds = 60

/** @param {{ quick: boolean }} options */
export function run({ quick }) {
  const size = { operations: 5000, events: quick ? 200_000 : 8_000_000 }
  return withTemporaryFolder(async folder => {
    const [plain, packed, sizes] = ['timeline.json', 'timeline.json.gz', 'sizes.csv'].map(name => join(folder, name))
    await writeLargeTimeline(plain, size)
    await pipeline(createReadStream(plain), createGzip({ level: 1 }), createWriteStream(packed))
    writeFileSync(sizes, sizesOfLargeTimeline(size.operations))
    const megabytes = statSync(plain).size / 1e6
    const rows = [rowOf('size', 'MB', [megabytes])]
    for (const [name, path] of [
      ['plain', plain],
      ['gzip', packed]
    ]) {
      const { seconds, peakMB, output } = await freshProcess([command, 'inspect', path, '--sizes', sizes, '--format', 'json'])
      const { operations } = JSON.parse(output)
      // Of its four events a layer's variable and its read only make the transfer.
      if (operations.used !== 2 * size.operations) throw new Error(`${operations.used} operations used of ${2 * size.operations}`)
      rows.push(rowOf(`foretrain inspect, ${name}`, 's', [seconds], { bar: barSeconds }))
      rows.push(rowOf(`peak memory, ${name}`, 'MB', [peakMB], { bar: barMB }))
    }
    return {
      rows,
      notes: [
        `A step of TensorFlow of ${3 * size.operations} operations and ${size.operations} transfers with its memory and data flow drawn in: ${size.events} events, written for the occasion. A cold process reads it, completes its transfers, extracts its profile and replays it. V8's longest string has 537 million characters.`,
        'Memory goes with the operations of a step and not with the size of the file.'
      ]
    }
  })
}
