import { checkQuestion } from '../checkQuestion.ts'
import { defaults } from '../defaults.ts'
import { checkPolicy, nameOfPolicy } from '../policies/policyOf.ts'
import { bandHalfWidth } from '../predict/band.ts'
import { type Progress, QuestionError } from '../question.ts'
import type { Comparison, Warning } from '../schema.ts'
import { meanInterval } from '../statistics/studentT.ts'
import { version } from '../version.ts'
import { type Gain, isTold, pairedGain } from './gain.ts'
import { type CompareQuestion, type PolicyRun, PolicyRuns, type Runner } from './policyRuns.ts'
import { type Chunking, tune } from './tune.ts'

/** What a caller may be told while a comparison runs, and may do for it. */
export interface CompareHooks {
  /** Replications of every policy finished, and how many there are at most. */
  onProgress?: (progress: Progress) => void
  signal?: AbortSignal
  /** Does the runs; default: this thread. */
  runner?: Runner
}

/**
 * Replications that a comparison makes at most with many workers: the paired difference of two orders on saturated links scatters by about 3 %
 * from run to run, so that many leave about 1 %.
 */
const mostCompared = 32
/** Replications between two looks at the intervals. */
const batch = 4
/** Tuning runs on random numbers of its own: on those of the comparison the settings that happened to be lucky would win twice. */
const tuningReplications = [1_000_000, 1_000_001, 1_000_002, 1_000_003]

/**
 * Runs every policy on the same cluster with common random numbers: in a replication every policy starts from the same phases and draws the
 * same recorded steps. Replications are added until every gain is known to within the precision.
 *
 * @throws QuestionError when the question cannot be answered as asked; the reason of `hooks.signal` when that is aborted
 */
export async function compare(question: CompareQuestion, hooks: CompareHooks = {}): Promise<Comparison> {
  checkComparison(question)
  const { policies, fixed, seed = 1 } = question
  const [workers] = question.workers
  const names = policies.map(policy => nameOfPolicy({ policy }))
  const reference = Math.max(0, names.indexOf('recorded'))
  const runner = hooks.runner ?? (await PolicyRuns.open(question, hooks.signal))
  const facts = await runner.facts()
  const tuned = question.tune ? await tuneOn(runner, question, facts.largestTransfer) : undefined
  const settings = { ...question.priority, ...tuned }

  const few = workers <= defaults.fewWorkers.value
  const most = fixed?.replications ?? (few ? defaults.mostReplicationsOfFew.value : mostCompared)
  const precision = question.precision ?? defaults.precision.value
  const sensitivities = runner.sensitivities(reference)
  // Awaited below, after the runs; a failure of those must not leave this one unheard.
  sensitivities.catch(() => {})
  const rates: number[][] = policies.map(() => [])
  let gains: Gain[] = []
  const unlike = [...policies.keys()].filter(policy => facts.sameOrder[policy] === policy)
  do {
    hooks.onProgress?.({ done: rates[0].length, total: most, workers })
    const first = rates[0].length
    const replications = Array.from({ length: Math.min(fixed === undefined ? batch : most, most - first) }, (_, i) => first + i)
    const runs = replications.flatMap(replication =>
      unlike.map(
        (policy): PolicyRun => ({ policy, replication, ...(tuned && names[policy] === 'priority' && { priority: settings }) })
      )
    )
    for (const [i, rate] of (await runner.rates(runs)).entries()) rates[runs[i].policy].push(rate)
    gains = facts.sameOrder.map(policy => pairedGain(rates[policy], rates[reference]))
  } while (rates[0].length < most && gains.some(({ halfWidth }) => halfWidth > precision))
  hooks.onProgress?.({ done: rates[0].length, total: rates[0].length, workers })

  const band = (simulation: number) => bandHalfWidth(simulation, known, facts.templates, workers)
  const known = await sensitivities
  const rows = names.map((policy, i): Comparison['policies'][number] => {
    const same = facts.sameOrder[i]
    const { mean, halfWidth } = meanInterval(rates[same])
    const width = band(halfWidth / mean)
    const gain = gains[i]
    return {
      policy,
      stepsPerSecond: {
        mean,
        ci95: [Math.max(0, mean - halfWidth), mean + halfWidth],
        band95: [mean * Math.max(0, 1 - width), mean * (1 + width)]
      },
      gain: { mean: gain.mean, ci95: [gain.mean - gain.halfWidth, gain.mean + gain.halfWidth] },
      told: isTold(gain),
      ...(same !== i && { sameOrderAs: names[same] })
    }
  })
  const imprecise = fixed === undefined ? precisionWarning(gains, names, precision) : []
  return {
    schema: 'foretrain/comparison@1',
    version,
    seed,
    workers,
    servers: facts.servers,
    replications: rates[0].length,
    reference: names[reference],
    policies: rows.sort((a, b) => b.gain.mean - a.gain.mean),
    ...(tuned && { tuned }),
    warnings: [...facts.warnings, ...imprecise]
  }
}

/** @throws QuestionError at the first field that cannot be used, with what would be right */
function checkComparison(question: CompareQuestion): void {
  checkQuestion(question)
  const { policies, workers, fixed } = question
  if (workers.length !== 1) throw new QuestionError(`workers are ${workers.join()}: use one cluster size to compare policies`)
  if (policies.length === 0) throw new QuestionError('policies are empty: use at least one')
  const names = policies.map(policy => nameOfPolicy({ policy }))
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw new QuestionError(`policies name ${twice} twice: use each once`)
  for (const policy of policies) checkPolicy({ ...question, policy })
  if (question.tune && !names.includes('priority'))
    throw new QuestionError('tune is for policy priority: name it among the policies')
  if (fixed && fixed.replications < 2)
    throw new QuestionError('number of replications is 1: use at least 2, an interval needs them')
}

async function tuneOn(runner: Runner, { policies, priority }: CompareQuestion, largestTransferBytes: number): Promise<Chunking> {
  const policy = policies.indexOf('priority')
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const { partitionBytes, creditBytes } = await tune(async chunkings => {
    const runs = chunkings.flatMap(chunking =>
      tuningReplications.map((replication): PolicyRun => ({ policy, replication, priority: { ...priority, ...chunking } }))
    )
    const rates = await runner.rates(runs)
    const each = tuningReplications.length
    return chunkings.map((_, i) => mean(rates.slice(i * each, (i + 1) * each)))
  }, largestTransferBytes)
  return { partitionBytes, creditBytes }
}

function precisionWarning(gains: readonly Gain[], names: readonly string[], precision: number): Warning[] {
  const wide = [...gains.keys()].filter(i => gains[i].halfWidth > precision)
  if (wide.length === 0) return []
  const widest = Math.max(...wide.map(i => gains[i].halfWidth))
  const message = `the gain of ${wide.map(i => names[i]).join(', ')} is known to within ±${(100 * widest).toFixed(1)} % after the most replications: more of them (--replications) narrow it`
  return [{ code: 'precision-not-reached', message, count: wide.length }]
}
