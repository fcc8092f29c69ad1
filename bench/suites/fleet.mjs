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

/** @param {Array<{ seconds: number }>} runs */
const secondsOf = runs => runs.map(({ seconds }) => seconds)

/**
 * How many times as long one takes as another.
 *
 * @param {Record<string, Array<{ seconds: number }>>} runs
 * @param {string} name
 * @param {string} than
 */
const timesOf = (runs, name, than) => median(secondsOf(runs[name])) / median(secondsOf(runs[than]))

/** @param {{ quick: boolean }} options */
export async function run({ quick }) {
  return withTemporaryFolder(async folder => {
    const profile = join(folder, 'profile.json')
    await freshProcess([command, 'inspect', join('examples', resnet), '--save', profile])
    const sweep = (/** @type {string[]} */ ...asked) =>
      freshProcess([command, 'sweep', profile, ...asked, '--out', join(folder, 'out.csv'), '--force'])
    const shortSweep = (/** @type {number} */ points) =>
      sweep(...short, Array.from({ length: points / workers }, (_, i) => (5000 + i) / 10_000).join(','), '--jobs', '2')
    const rounds = quick ? 1 : 5
    const asked = quick ? some : all
    const threads = await interleave(
      {
        'one thread': () => sweep(...asked, '--jobs', '1'),
        'two threads': () => sweep(...asked, '--jobs', '2')
      },
      rounds
    )
    const fleet = hasRedis()
      ? await interleave(
          {
            'two threads': () => sweep(...some, '--jobs', '2'),
            'two workers': () => withFleet(2, url => sweep(...some, '--redis', url))
          },
          rounds
        )
      : undefined
    const few = await shortSweep(quick ? 100 : 10_000)
    const many = await shortSweep(quick ? 1000 : 100_000)
    return {
      rows: [
        rowOf(`${quick ? '200' : '1,000'} points, one thread`, 's', secondsOf(threads['one thread'])),
        rowOf(`${quick ? '200' : '1,000'} points, two threads`, 's', secondsOf(threads['two threads']), quick ? {} : { bar: 60 }),
        rowOf('one thread : two threads', '×', [timesOf(threads, 'one thread', 'two threads')], { least: 1.8 }),
        ...(fleet === undefined
          ? []
          : [
              ...Object.keys(fleet).map(name => rowOf(`200 points, ${name}`, 's', secondsOf(fleet[name]))),
              rowOf('two workers over Redis : two threads', '×', [timesOf(fleet, 'two workers', 'two threads')], { bar: 1.15 })
            ]),
        rowOf('100,000 points of two steps', 's', [many.seconds]),
        rowOf('their peak resident memory', 'MB', [many.peakMB]),
        rowOf('that of 10,000', 'MB', [few.peakMB]),
        rowOf('memory of ten times the points', '×', [many.peakMB / few.peakMB], { bar: 1.25 })
      ],
      notes: [
        `${resnet}, 1 to 50 workers × 4 bandwidths × 5 policies at a precision of 1 %, CSV; the 200 have every fifth number of workers. A fresh process each time, from its start to its end; with Redis without the start of the workers, who stay for one sweep.`,
        fleet !== undefined
          ? 'Workers over Redis are two processes of one thread, and Redis a third.'
          : 'Redis was left out: there is no redis-server on the PATH.',
        ...(quick ? ['With --quick 1,000 points of two steps stand for 100,000, and 100 for 10,000.'] : [])
      ]
    }
  })
}
