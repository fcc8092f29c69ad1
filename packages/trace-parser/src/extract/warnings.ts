import { EVENT_REASONS } from '../eventReasons.ts'
import type { Profile, ProfileWarning } from '../profile.ts'
import { counted, ms, short, some } from '../text.ts'
import type { SharedOperations, SharedTransfers } from './align.ts'
import type { Clocks } from './clocks.ts'
import type { Graph } from './graph.ts'
import type { HiddenDependencies } from './hiddenDependencies.ts'
import { operationKey } from './readStep.ts'
import { median } from './statistics.ts'
import { REASONS } from './tally.ts'

/** What the stages of extraction noticed. */
export interface Findings {
  shared: SharedOperations
  transfers: SharedTransfers
  graph: Graph
  clocks: Clocks
  hidden: HiddenDependencies
  hasPartition: boolean
  someCarriesGraph: boolean
  otherClockKernels: number
  peers: number
  /** Names by vertex. */
  names: readonly string[]
}

/** With fewer, the spread of step times is hardly known. */
const FEW_STEPS = 5
const RECOMMENDED_STEPS = 20
/** A first step that takes this much longer than the others still built or grew something. */
const LONG_FIRST_STEP = 1.5

const BROKEN_TIMES = [REASONS.negative, REASONS.noStart, REASONS.outOfRange, REASONS.clockOutlier] as const

const LOST_EVENTS = [
  EVENT_REASONS.notAnObject,
  EVENT_REASONS.noTimes,
  EVENT_REASONS.unpaired,
  EVENT_REASONS.unmatched,
  EVENT_REASONS.partOfStep
] as const

/** What a user should know of how a profile came about. */
export function warningsOf(profile: Profile, findings: Findings): ProfileWarning[] {
  return [
    ...stepWarnings(profile),
    ...recordWarnings(profile, findings),
    ...graphWarnings(findings),
    ...transferWarnings(profile, findings),
    ...clockWarnings(profile, findings)
  ]
}

function stepWarnings({ steps, counts }: Profile): ProfileWarning[] {
  const warnings: ProfileWarning[] = []
  if (steps.length < FEW_STEPS) {
    warnings.push({
      code: 'few-steps',
      message: `${counted(steps.length, 'step')}: how much steps vary is hardly known, so intervals are wide; trace ${RECOMMENDED_STEPS}`,
      count: steps.length
    })
  }
  if (counts.droppedSteps.length > 0) {
    const { trace, reason } = counts.droppedSteps[0]
    warnings.push({
      code: 'dropped-steps',
      message: `${counted(counts.droppedSteps.length, 'step')} dropped; ${short(trace)} ${reason}`,
      count: counts.droppedSteps.length,
      where: trace
    })
  }
  if (steps.length > 1) {
    const othersUs = median(steps.slice(1).map(step => step.spanUs))
    const firstUs = steps[0].spanUs
    if (firstUs > LONG_FIRST_STEP * othersUs) {
      warnings.push({
        code: 'profiled-first-step',
        message: `the first step took ${ms(firstUs)}, the others ${ms(othersUs)} (median): it looks like a start-up step; leave it out and trace after 10 untraced steps`,
        where: steps[0].trace
      })
    }
  }
  return warnings
}

function recordWarnings({ counts }: Profile, { otherClockKernels, shared }: Findings): ProfileWarning[] {
  const warnings: ProfileWarning[] = []
  const broken = BROKEN_TIMES.filter(reason => counts.ignored[reason] !== undefined)
  if (broken.length > 0) {
    const count = broken.reduce((sum, reason) => sum + counts.ignored[reason], 0)
    const detail = broken.map(reason => `${counts.ignored[reason]} ${reason}`).join(', ')
    warnings.push({ code: 'broken-times', message: `${counted(count, 'record')} with unusable times left out (${detail})`, count })
  }
  const lost = LOST_EVENTS.filter(reason => counts.ignored[reason] !== undefined)
  if (lost.length > 0) {
    const count = lost.reduce((sum, reason) => sum + counts.ignored[reason], 0)
    const detail = lost.map(reason => `${counts.ignored[reason]} ${reason}`).join(', ')
    warnings.push({ code: 'lost-events', message: `${counted(count, 'event')} of a timeline left out (${detail})`, count })
  }
  const cutOff = counts.ignored[EVENT_REASONS.cutOff] ?? 0
  if (cutOff > 0) {
    warnings.push({
      code: 'cut-off-files',
      message: `${counted(cutOff, 'event file')} cut off within the last event, which is left out; was the writer closed?`,
      count: cutOff
    })
  }
  const unreadable = counts.ignored[REASONS.unreadable] ?? 0
  if (unreadable > 0) {
    warnings.push({
      code: 'unreadable-transfers',
      message: `${counted(unreadable, 'RecvTensor record')} left out: the label does not name tensor, sender and receiver`,
      count: unreadable
    })
  }
  const rare = counts.ignored[REASONS.rare] ?? 0
  if (rare > 0) {
    warnings.push({
      code: 'rare-records',
      message: `${counted(rare, 'record')} of operations that fewer than half of the steps ran (summaries, checkpoints?) left out`,
      count: rare
    })
  }
  if (otherClockKernels > 0) {
    warnings.push({
      code: 'gpu-clock',
      message: `${counted(otherClockKernels, 'GPU kernel')} on a clock of their own left out; these operations have only their launch times`,
      count: otherClockKernels
    })
  }
  const { complete, operations } = shared
  const repeated = operations.filter(({ task, name }) =>
    complete.some(table => table.nodes.get(operationKey(task, name))!.executions > 1)
  )
  if (repeated.length > 0) {
    warnings.push({
      code: 'repeated-operations',
      message: `${counted(repeated.length, 'operation')} ran several times in a step (a loop?) and are taken as one: ${some(repeated.map(({ name }) => name))}`,
      count: repeated.length
    })
  }
  return warnings
}

function graphWarnings({ graph, hidden, hasPartition, someCarriesGraph, names }: Findings): ProfileWarning[] {
  const warnings: ProfileWarning[] = []
  if (someCarriesGraph && !hasPartition) {
    warnings.push({
      code: 'foreign-graph',
      message: 'the partition graphs do not know the recorded operations and are not used; dependencies are read from labels'
    })
  }
  if (graph.dangling.length > 0) {
    const inputs = [...new Set(graph.dangling)]
    warnings.push({
      code: 'dangling-inputs',
      message: `${counted(inputs.length, 'input')} of operations name nothing that was recorded and are left out: ${some(inputs)}`,
      count: inputs.length
    })
  }
  if (graph.ambiguous.length > 0) {
    warnings.push({
      code: 'ambiguous-edges',
      message: `${counted(graph.ambiguous.length, 'tensor')} go to one task several times and are told apart by the order of edge numbers: ${some(graph.ambiguous)}; trace one step with output_partition_graphs=True`,
      count: graph.ambiguous.length
    })
  }
  if (hidden.found.size > 0) {
    const [root, cause] = [...hidden.found][0]
    warnings.push({
      code: 'hidden-dependency',
      message: `hidden dependencies of ${counted(hidden.found.size, 'operation')} without listed inputs, found from scheduling times: ${short(names[root])} after ${short(names[cause])}${hidden.found.size > 1 ? ' …' : ''}`,
      count: hidden.found.size
    })
  }
  if (hidden.unexplained.length > 0) {
    warnings.push({
      code: 'late-roots',
      message: `late start, which nothing explains, of ${counted(hidden.unexplained.length, 'operation')} without listed inputs: ${some(hidden.unexplained.map(vertex => names[vertex]))}; trace one step with output_partition_graphs=True`,
      count: hidden.unexplained.length
    })
  }
  return warnings
}

function transferWarnings({ counts, operations }: Profile, { shared, transfers, peers }: Findings): ProfileWarning[] {
  const warnings: ProfileWarning[] = []
  if (counts.imputedTransfers > 0) {
    const steps = transfers.recorded.filter(
      row => row.some(record => record === undefined) || row.length < transfers.transfers.length
    )
    warnings.push({
      code: 'imputed-transfers',
      message: `${counted(counts.imputedTransfers, 'transfer')} without a log entry (in ${counted(steps.length, 'step')}) taken from the other steps`,
      count: counts.imputedTransfers
    })
  }
  if (transfers.neverRecorded.length > 0) {
    warnings.push({
      code: 'unrecorded-transfers',
      message: `${counted(transfers.neverRecorded.length, 'transfer')} of the graph recorded in no step, of unknown size and left out: ${some(transfers.neverRecorded)}`,
      count: transfers.neverRecorded.length
    })
  }
  const roundedTransfers = transfers.recorded.flat().filter(record => record?.rounded === true).length
  if (roundedTransfers > 0) {
    warnings.push({
      code: 'label-rounded-sizes',
      message: `label-rounded sizes: ${counted(roundedTransfers, 'transfer record')} without requested_bytes, known to 0.1 MiB only`,
      count: roundedTransfers
    })
  }
  const matched = shared.complete.reduce((sum, { raw }) => sum + (raw.matchedTransfers ?? 0), 0)
  if (matched > 0) {
    warnings.push({
      code: 'matched-transfers',
      message: `${counted(matched, 'transfer')} of timelines, which do not name tensors: which tensor took which time is inferred from when each was needed; RunMetadata says it`,
      count: matched
    })
  }
  const undriven = operations.filter(({ kind, dependencies }) => kind === 'push' && dependencies.length === 0)
  if (undriven.length > 0) {
    warnings.push({
      code: 'undriven-pushes',
      message: `${counted(undriven.length, 'push transfer')} of no known producer, released at the recorded start: ${some(undriven.map(({ name }) => name))}; trace one step with output_partition_graphs=True`,
      count: undriven.length
    })
  }
  if (peers > 0) {
    warnings.push({
      code: 'peer-transfers',
      message: `${counted(peers, 'transfer record')} between servers left out: only pulls and pushes are modelled`,
      count: peers
    })
  }
  return warnings
}

function clockWarnings({ servers, clockOffsetUs }: Profile, { clocks }: Findings): ProfileWarning[] {
  const warnings = servers.flatMap((server, i): ProfileWarning[] => {
    const offsetUs = clockOffsetUs[i]
    if (offsetUs === 0) return []
    const direction = offsetUs > 0 ? 'ahead of' : 'behind'
    return [
      {
        code: 'clock-skew',
        message: `the clock of ${short(server)} is ${ms(Math.abs(offsetUs))} ${direction} the worker's; subtracted`,
        where: server
      }
    ]
  })
  if (clocks.instantTransfers > 0 && warnings.length === 0) {
    warnings.push({
      code: 'clock-skew',
      message: `${counted(clocks.instantTransfers, 'transfer')} of a mebibyte and more recorded as 1 µs long: a server's clock is ahead by an unknown amount`,
      count: clocks.instantTransfers
    })
  }
  return warnings
}
