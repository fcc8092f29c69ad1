import { isCovered, type Validation } from '@foretrain/predictor'
import { oneLine } from '@foretrain/predictor/text'
import { glyphsOf, type Look, paint } from './look.ts'
import { columnFormat, count, percent } from './numbers.ts'
import { type Column, renderFacts, renderTable } from './table.ts'

type Case = Validation['cases'][number]
type Point = Case['points'][number]

/** Words for the names of simpler models. */
const titles: Record<string, string> = { equalSharing: 'equal sharing' }

/** A validation for people: a table a case, then the totals. */
export function renderValidation(validation: Validation, look: Look): string {
  const tables = validation.cases.map(
    one => `${paint(look, 'bold', oneLine(one.name))}\n${renderTable(columns(one.points, look), look)}`
  )
  return [...tables, renderFacts(totals(validation), look)].join('\n')
}

function columns(points: Point[], look: Look): Column[] {
  const glyphs = glyphsOf(look)
  const rate = columnFormat(points.flatMap(({ measured, predicted }) => [measured, predicted]))
  const column = (title: string, cell: (point: Point) => string): Column => ({ title, align: 'right', cells: points.map(cell) })
  const plusMinus = (mean: number, [low, high]: [number, number]) => `${rate(mean)} ${glyphs.plusMinus} ${rate((high - low) / 2)}`
  const baselines = [...new Set(points.flatMap(({ baselineErrors }) => Object.keys(baselineErrors)))]
  return [
    column('workers', ({ workers }) => String(workers)),
    column('measured', ({ measured, measuredCi95 }) => plusMinus(measured, measuredCi95)),
    column('predicted', ({ predicted, ci95 }) => plusMinus(predicted, ci95)),
    column('95 % band', ({ band95 }) => `${rate(band95[0])}${glyphs.to}${rate(band95[1])}`),
    column('error', ({ error }) => signed(error)),
    column('outside', ({ outside }) => percent(outside)),
    ...baselines.map(name => column(titles[name] ?? oneLine(name), ({ baselineErrors }) => signed(baselineErrors[name])))
  ]
}

function totals(validation: Validation): Array<[string, string]> {
  const points = validation.cases.flatMap(one => one.points)
  const several = points.filter(({ workers }) => workers > 1)
  const single = points.length - several.length
  const facts: Array<[string, string]> = [
    ['rates', 'steps/s; outside: distance from the measured interval; then the errors of simpler models']
  ]
  if (several.length > 0) {
    const covered = several.filter(isCovered).length
    const baselines = Object.entries(validation.baselineMeanAbsErrors).map(
      ([name, error]) => `${titles[name] ?? oneLine(name)} ${percent(error)}`
    )
    facts.push(
      ['total', `${count(several.length, 'point')} with more than one worker in ${count(validation.cases.length, 'case')}`],
      ['error', `${percent(validation.meanAbsError)} on the mean, ${percent(validation.maxAbsError)} at most`],
      ['outside', `${percent(validation.maxOutside)} at most`],
      ['coverage', `${percent(validation.coverage)}: in ${covered} of ${several.length} the measured interval meets the band`],
      ['baselines', `${baselines.join(', ')} on the mean`]
    )
  } else facts.push(['total', 'no point with more than one worker'])
  if (single > 0)
    facts.push([
      'one worker',
      `${percent(validation.singleWorkerMeanAbsError)} on the mean of ${count(single, 'point')}, in no total`
    ])
  return facts
}

/** An error with its sign: "+3.4 %". */
function signed(error: number | undefined): string {
  return `${error !== undefined && error > 0 ? '+' : ''}${percent(error)}`
}
