import type { CompareQuestion } from '@foretrain/predictor'
import { comparedPolicies, parsePolicies, parsePriority } from '@foretrain/predictor/text'
import { CommandLineError } from '../errors.ts'
import type { ClusterFiles } from './cluster.ts'
import { type PredictFlags, parsePredictFlags } from './question.ts'

/** Flags of `compare` as they stand on the command line: those of `predict`, of which --policy takes a list. */
export interface CompareFlags extends PredictFlags {
  tune?: boolean
}

/** Reads the flags of `compare` into a question that lacks only its profile and its files. */
export function parseCompareFlags(
  { policy, tune, ...flags }: CompareFlags,
  files: ClusterFiles = {}
): Omit<CompareQuestion, 'profile'> {
  if (flags.workers === undefined && flags.cluster === undefined)
    throw new CommandLineError('compare needs one cluster size: --workers 8')
  const policies = policy === undefined ? comparedPolicies : parsePolicies(policy)
  const { partition, credit, priorityOrder, ...rest } = flags
  const question = parsePredictFlags(rest, files)
  if (question.workers.length > 1)
    throw new CommandLineError(`--workers "${flags.workers}": compare takes one cluster size, such as 8`)
  if ((question.servers?.length ?? 1) > 1)
    throw new CommandLineError(`--servers "${flags.servers}": compare takes one number of servers, such as 2`)
  if (question.fixed?.replications === 1)
    throw new CommandLineError('--replications "1": compare needs at least 2, an interval of the gain needs them')
  if (tune && !policies.includes('priority')) throw new CommandLineError('--tune is for --policy priority, which is not asked for')
  if (tune && (partition ?? credit) !== undefined)
    throw new CommandLineError(
      `--tune looks for partition and credit itself: leave out ${partition === undefined ? '--credit' : '--partition'}`
    )
  const priority = parsePriority({ partition, credit, priorityOrder }, policies)
  return { ...question, policies, ...(priority && { priority }), ...(tune && { tune }) }
}
