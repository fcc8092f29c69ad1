import { join } from 'node:path'
import { hasRedis, withFleet } from '../lib/fleet.mjs'
import { freshProcess } from '../lib/freshProcess.mjs'
import { interleave } from '../lib/interleave.mjs'
import { command, resnet } from '../lib/paths.mjs'
import { rowOf } from '../lib/row.mjs'
import { median } from '../lib/statistics.mjs'
import { withTemporaryFolder } from '../lib/temporaryFolder.mjs'

export const title = 'foretrain sweep, in threads and over Redis'

const grid = [
  '--bandwidth',
  '250Mbps,500Mbps,1Gbps,10Gbps',
  '--traced-bandwidth',
  '1Gbps',
  '--policy',
  'recorded,random,fifo,tac,priority'
]
const all = ['--workers', '1-50', ...grid]
/** Every fifth number of workers. */
const some = ['--workers', '5,10,15,20,25,30,35,40,45,50', ...grid]
/** Two steps of each worker, and many numbers to tell points apart. */
const short = ['--workers', '5-14', '--replications', '1', '--steps', '2', '--compute-speed']
const workers = 10

/** @param {{ quick: boolean }} options */
export async function run({ quick }) {
  return withTemporaryFolder(async folder => {
    const profile = join(folder, 'profile.json')
    await freshProcess([command, 'inspect', join('examples', resnet), '--save', profile])
    const sweep = (/** @type {string[]} */ ...asked) =>
      freshProcess([command, 'sweep', profile, ...asked, '--out', join(folder, 'out.csv'), '--force'])
    const shortSweep = (/** @type {number} */ points) =>
      sweep(...short, Array.from({ length: points / workers }, (_, i) => (5000 + i) / 10_000).join(','), '--jobs', '2')
    const isFleet = hasRedis()
    const results = await interleave(
      {
        'one thread': () => sweep(...some, '--jobs', '1'),
        'two threads': () => sweep(...some, '--jobs', '2'),
        ...(isFleet && { 'two workers': () => withFleet(2, url => sweep(...some, '--redis', url)) })
      },
      quick ? 1 : 5
    )
    const seconds = (/** @type {string} */ name) => results[name].map(result => result.seconds)
    const times = (/** @type {string} */ name, /** @type {string} */ than) => median(seconds(name)) / median(seconds(than))
    const whole = quick ? [] : [await sweep(...all, '--jobs', '2')]
    const few = await shortSweep(quick ? 100 : 10_000)
    const many = await shortSweep(quick ? 1000 : 100_000)
    return {
      rows: [
        ...(whole.length > 0
          ? [
              rowOf(
                '1,000 points, two threads',
                's',
                whole.map(result => result.seconds),
                { bar: 60 }
              )
            ]
          : []),
        ...Object.keys(results).map(name => rowOf(`200 of them, ${name}`, 's', seconds(name))),
        rowOf('one thread : two threads', '×', [times('one thread', 'two threads')], { least: 1.8 }),
        ...(isFleet
          ? [rowOf('two workers over Redis : two threads', '×', [times('two workers', 'two threads')], { bar: 1.15 })]
          : []),
        rowOf('100,000 points of two steps', 's', [many.seconds]),
        rowOf('their peak resident memory', 'MB', [many.peakMB]),
        rowOf('that of 10,000', 'MB', [few.peakMB]),
        rowOf('memory of ten times the points', '×', [many.peakMB / few.peakMB], { bar: 1.25 })
      ],
      notes: [
        `${resnet}, 1 to 50 workers × 4 bandwidths × 5 policies at a precision of 1 %, CSV; the 200 have every fifth number of workers. A fresh process each time, from its start to its end; with Redis without the start of the workers, who stay for one sweep.`,
        isFleet
          ? 'Workers over Redis are two processes of one thread, and Redis a third.'
          : 'Redis was left out: there is no redis-server on the PATH.',
        ...(quick ? ['With --quick 1,000 points of two steps stand for 100,000, and 100 for 10,000.'] : [])
      ]
    }
  })
}
