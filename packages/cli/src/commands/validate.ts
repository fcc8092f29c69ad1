import type { CaseToValidate, Validation } from '@foretrain/predictor'
import { oneLine, renderJson } from '@foretrain/predictor/text'
import { CheckError, InputError } from '../errors.ts'
import { type OutputFlags, parseOutputFlags } from '../flags/output.ts'
import { type ErrorLimit, parseValidateFlags, type ValidateFlags } from '../flags/validate.ts'
import { findCases, findCaseTraces } from '../io/caseFolders.ts'
import type { Io } from '../io/io.ts'
import type { Libraries } from '../io/libraries.ts'
import { ProgressLine } from '../io/progress.ts'
import { count, percent, significant } from '../render/numbers.ts'
import { renderValidation } from '../render/validation.ts'
import { renderValidationCsv } from '../render/validationCsv.ts'
import { readTraces } from './inputs.ts'
import { Destination } from './output.ts'

/** `foretrain validate`: predictions beside the measurements of whole clusters. */
export async function validateCommand(
  folders: string[],
  flags: ValidateFlags & OutputFlags,
  io: Io,
  libraries: Libraries
): Promise<void> {
  const { options, limit } = parseValidateFlags(flags)
  const { format, path, force } = parseOutputFlags(flags, ['table', 'json', 'csv'])
  const destination = await Destination.open(path, force, io)
  const found = await findCases(folders)
  destination.refuseInputs(found, '--out', 'cases')
  // All documents are checked before the first trace is read, which takes longer.
  const documents = []
  for (const one of found) {
    const document = await libraries.readCase(one.text, one.file)
    const traces = await findCaseTraces(one, document.traces)
    destination.refuseInputs(traces, '--out')
    documents.push({ document, traces })
  }
  const progress = new ProgressLine(io.errors)
  const skipped: string[] = []
  let validation: Validation
  try {
    const cases: CaseToValidate[] = []
    for (const { document, traces } of documents) {
      const { profile } = await readTraces({ traces }, libraries, progress)
      cases.push({ case: document, profile })
    }
    const points = new ProgressLine(io.errors)
    validation = await libraries.validate(cases, options, {
      onProgress: state => points.showPoints(state),
      onSkipped: (name, reason) => skipped.push(`${name}: ${reason}`)
    })
    await points.clear()
  } finally {
    await progress.clear()
  }
  if (validation.cases.length === 0) throw new InputError(`no case can be predicted: ${skipped.join('; ')}`)
  for (const reason of skipped) await io.errors.write(`warning case-skipped: ${oneLine(reason)}\n`)
  if (format === 'json') await destination.write(renderJson(validation))
  else if (format === 'csv') await destination.write(renderValidationCsv(validation))
  else await destination.write(renderValidation(validation, destination.look))
  if (limit) checkErrors(validation, limit)
}

/** @throws CheckError that names the point with the largest error, when that is above the limit */
function checkErrors({ cases }: Validation, limit: ErrorLimit): void {
  const points = cases.flatMap(({ name, points }) => points.map(point => ({ name, ...point })))
  const over = points.filter(({ workers, error }) => workers > 1 && Math.abs(error) > limit.share)
  if (over.length === 0) return
  const worst = over.reduce((most, point) => (Math.abs(point.error) > Math.abs(most.error) ? point : most))
  const { name, workers, error, predicted, measured } = worst
  const others = over.length > 1 ? `; so ${over.length > 2 ? 'are' : 'is'} ${count(over.length - 1, 'other point')}` : ''
  throw new CheckError(
    `${name}, ${count(workers, 'worker')}: the error of ${percent(error, 3)} (predicted ${significant(predicted)}, measured ${significant(measured)} steps/s) ` +
      `is above --max-error ${limit.text}${others}`
  )
}
