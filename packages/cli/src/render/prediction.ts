import type { Point, Prediction } from '@foretrain/predictor'
import { oneLine } from '../oneLine.ts'
import { renderChart } from './chart.ts'
import { glyphsOf, type Look } from './look.ts'
import { bytes, columnFormat, count, percent, twoDecimals, withUnit } from './numbers.ts'
import { renderWarnings, replayText } from './shared.ts'
import { type Column, renderFacts, renderTable } from './table.ts'

/** A prediction for people: what went in, a row a cluster size, the curve, the warnings. */
export function renderPrediction(prediction: Prediction, look: Look): string {
  const facts = renderFacts(
    [
      ['profile', profileText(prediction.profile, look)],
      ['replay', replayText(prediction.replay)],
      ['parameters', parametersText(prediction.parameters)],
      ['cluster', clusterText(prediction.points[0], look)]
    ],
    look
  )
  const parts = [facts, renderTable(pointColumns(prediction.points, look), look), renderChart(prediction.points, look)]
  return [...parts, renderWarnings(prediction.warnings, look)].filter(part => part !== '').join('\n')
}

function profileText(profile: Prediction['profile'], look: Look): string {
  const { traces, steps, dropped, operations, pullBytes, pushBytes, servers } = profile
  return [
    `${count(steps, 'step')} of ${count(traces.length, 'trace')}${dropped > 0 ? ` (${dropped} dropped)` : ''}`,
    count(operations, 'operation'),
    `${bytes(pullBytes)} pulled, ${bytes(pushBytes)} pushed a step`,
    count(servers, 'server')
  ].join(glyphsOf(look).separator)
}

function parametersText(parameters: Prediction['parameters']): string {
  const rows = Object.entries(parameters).map(([name, { value, unit, source, note }]) => ({
    name: oneLine(name),
    value: oneLine(withUnit(value, unit)),
    source: note === undefined ? source : `${source}, ${oneLine(note)}`
  }))
  const nameWidth = Math.max(0, ...rows.map(row => row.name.length))
  const valueWidth = Math.max(0, ...rows.map(row => row.value.length))
  return rows.map(({ name, value, source }) => `${name.padEnd(nameWidth)}  ${value.padEnd(valueWidth)}  ${source}`).join('\n')
}

/** What all points have in common. */
function clusterText(point: Point | undefined, look: Look): string {
  if (point === undefined) return 'none'
  const { servers, bandwidth, batchSize, mode, policy } = point
  return [
    count(servers, 'server'),
    oneLine(bandwidth),
    `${count(batchSize, 'example')} a step`,
    `mode ${mode}`,
    `policy ${oneLine(policy)}`
  ].join(glyphsOf(look).separator)
}

function pointColumns(points: Point[], look: Look): Column[] {
  const glyphs = glyphsOf(look)
  const rates = points.map(point => point.stepsPerSecond)
  const rate = columnFormat(rates.map(({ mean }) => mean))
  const examples = columnFormat(points.map(point => point.examplesPerSecond))
  const ms = columnFormat(
    points.map(point => point.stepMs.p50),
    4,
    2
  )
  const column = (title: string, cell: (point: Point) => string, align: Column['align'] = 'right') => ({
    title,
    align,
    cells: points.map(cell)
  })
  return [
    column('workers', ({ workers }) => String(workers)),
    column('steps/s', ({ stepsPerSecond: { mean, ci95 } }) => `${rate(mean)} ${glyphs.plusMinus} ${rate((ci95[1] - ci95[0]) / 2)}`),
    column('95 % band', ({ stepsPerSecond: { band95 } }) => `${rate(band95[0])}${glyphs.to}${rate(band95[1])}`),
    column('examples/s', point => examples(point.examplesPerSecond)),
    column('speed-up', ({ speedup }) => `${twoDecimals(speedup)}${glyphs.times}`),
    column('efficiency', ({ efficiency }) => percent(efficiency)),
    column('step p50', ({ stepMs }) => `${ms(stepMs.p50)} ms`),
    column('step p95', ({ stepMs }) => `${ms(stepMs.p95)} ms`),
    column('bottleneck', ({ bottleneck }) => oneLine(bottleneck.resource), 'left'),
    column('elasticity', ({ bottleneck }) => twoDecimals(bottleneck.elasticity)),
    column('busy', ({ bottleneck, utilisation }) => percent(utilisation[bottleneck.resource]))
  ]
}
