import type { PlanRow, Warning } from '../schema.ts'
import type { Target } from './question.ts'
import { byCost, fastestOf } from './rows.ts'

interface Facts {
  rows: readonly PlanRow[]
  cheapest: PlanRow | null
  knee: PlanRow
  target: Target
  /** As asked for. */
  batchSize: number | undefined
}

/** What a reader of a plan must know beyond the predictions in it. */
export function planWarnings({ rows, cheapest, knee, target, batchSize }: Facts): Warning[] {
  const warnings: Warning[] = []
  const say = (code: string, message: string) => warnings.push({ code, message })
  if (target.unit === 'examples/s' && batchSize === undefined) {
    say('batch-assumed', 'a step is taken as 1 example: give the batch size, or the target in steps/s')
  }
  if (cheapest === null) {
    const fastest = fastestOf(rows)
    const size = isLargest(fastest, rows) ? `${hosts(fastest)}, the most simulated` : hosts(fastest)
    say(
      'target-not-met',
      `no simulated cluster meets the target: the fastest has ${size}; its bottleneck is ${fastest.bottleneck.resource}`
    )
  } else if (cheapest.bandShareMeetingTarget < 1) {
    const sure = rows.filter(row => row.bandShareMeetingTarget === 1).sort(byCost)[0]
    const remedy =
      sure === undefined ? 'no simulated cluster has all of it' : `the cheapest simulated with all of it has ${hosts(sure)}`
    say(
      'target-within-band',
      `${Math.round(cheapest.bandShareMeetingTarget * 100)} % of the band of the cheapest cluster meets the target, the rest falls short; ${remedy}`
    )
  }
  if (isLargest(knee, rows)) {
    say('knee-not-reached', `up to ${hosts(knee)} added workers are worth it on the average: the knee is about there or beyond`)
  }
  return warnings
}

/** Of those with its number of servers. */
function isLargest({ workers, servers }: PlanRow, rows: readonly PlanRow[]): boolean {
  return rows.every(row => row.servers !== servers || row.workers <= workers)
}

function hosts({ workers, servers }: PlanRow): string {
  return `${workers} ${workers === 1 ? 'worker' : 'workers'} and ${servers} ${servers === 1 ? 'server' : 'servers'}`
}
