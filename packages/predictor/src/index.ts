export { compileCore } from '@foretrain/core-wasm'
export { profileFrom } from '@foretrain/trace-parser'
export { type Calibration, type CalibrationOptions, calibrate } from './calibrate/calibrate.ts'
export { type CompareHooks, compare } from './compare/compare.ts'
export {
  type CompareQuestion,
  type ComparisonFacts,
  type PolicyRun,
  PolicyRuns,
  type Runner
} from './compare/policyRuns.ts'
export { type CompiledJob, type CompileOptions, compile } from './compile/compile.ts'
export type { MergeOptions } from './compile/mergeTransfers.ts'
export { type Default, type DefaultName, defaults, type ShareDefault, shareDefaults } from './defaults.ts'
export type { Demands } from './demands.ts'
export type { HostRates } from './hosts/hostRates.ts'
export { type InspectInput, inspectProfile } from './inspect.ts'
export { plan } from './plan/plan.ts'
export {
  type ClusterQuestion,
  largestSearched,
  type PlanHooks,
  type PlanProgress,
  type PlanQuestion,
  type Target
} from './plan/question.ts'
export {
  comparedPolicies,
  isPolicyName,
  type PolicyName,
  type PriorityOrder,
  policyNames,
  priorityOrders
} from './policies/names.ts'
export type { OrderFile } from './policies/orderFile.ts'
export type { Policy, Ranks, StepGraph } from './policies/policy.ts'
export type { PrioritySettings } from './policies/priority.ts'
export type { OrderedSteps, StepOrders } from './policies/stepOrders.ts'
export type { Sensitivities } from './predict/band.ts'
export { mergePredictions } from './predict/merge.ts'
export { predict } from './predict/predict.ts'
export { shareOut } from './predict/shareOut.ts'
export {
  type SweepCommon,
  type SweepPoint,
  type SweepPointAsked,
  SweepPoints,
  type SweepSetting,
  type SweepVaried
} from './predict/sweepPoint.ts'
export type * from './question.ts'
export { QuestionError } from './question.ts'
export { redactProfile } from './redact.ts'
export { replay } from './replay.ts'
export type * from './schema.ts'
export { clusterOf, roughCycleUs, type SetUp, setUp, type TraceSetUp } from './setUp.ts'
export { type Shares, sharesOf } from './shares.ts'
export type { TimelineColumns, TimelineCounter, TimelineLane } from './timeline/columns.ts'
export type { TimelineSize } from './timeline/estimate.ts'
export { type SliceKind, sliceKinds } from './timeline/slices.ts'
export { type Timeline, type TimelineOptions, timeline, timelineColumns } from './timeline/timeline.ts'
export type { TimelineWindow } from './timeline/window.ts'
export type { MessageCost, NetworkOptions, Path, ServerCost, Transport } from './transport.ts'
export { CaseError } from './validate/field.ts'
export type { ValidateOptions } from './validate/question.ts'
export { readCase } from './validate/readCase.ts'
export { isCovered } from './validate/totals.ts'
export { type CaseToValidate, type ValidateHooks, validate } from './validate/validate.ts'
export { version } from './version.ts'
