/**
 * What people write, and what is written for them: quantities with units, lists of numbers, modes, policies, rows of tables. Light, because the
 * command reads its flags before it loads anything of the model; pure, because the page reads its fields with it.
 *
 * What is named parse… throws a QuestionError of one line that begins with the flag: what was written, what would be right.
 */
export { mostWorkers } from '../checks.ts'
export { comparedPolicies, isPolicyName, type PolicyName, policyNames, priorityOrders } from '../policies/names.ts'
export { csvField, csvHeader, csvLine, predictionCsv, sweepColumns, type Throughput, throughputColumns } from './csv.ts'
export { renderJson } from './json.ts'
export { type Mode, modes, parseMode, parseStraggler } from './mode.ts'
export { type Numbers, parseChoice, parseFactor, parseNumbers, parseWhole, parseWorkers } from './numbers.ts'
export { oneLine, quoted, unprintable } from './oneLine.ts'
export { type PolicyFlags, parsePolicies, parsePolicy, parsePriority } from './policy.ts'
export * from './units.ts'
export { bytes, columnFormat, count, missing, percent, significant, time, twoDecimals, withUnit } from './written.ts'
