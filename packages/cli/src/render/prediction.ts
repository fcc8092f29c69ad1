import type { Point, Prediction } from '@foretrain/predictor'
import { oneLine } from '@foretrain/predictor/text'
import { glyphsOf, type Look } from './look.ts'
import { bytes, columnFormat, count, percent, twoDecimals, withUnit } from './numbers.ts'
import { renderChartOf, renderGroups, renderHotServers, serversOf } from './servers.ts'
import { renderWarnings, replayText } from './shared.ts'
import { type Column, renderFacts, renderTable, wrapItems } from './table.ts'

/** A prediction for people: what went in, a row a cluster size, the curve, the warnings. */
export function renderPrediction(prediction: Prediction, look: Look): string {
  const facts = renderFacts(
    [
      ['profile', profileText(prediction.profile, look)],
      ['replay', replayText(prediction.replay)],
      ['parameters', parametersText(prediction.parameters)],
      ['assumed', assumedText(prediction.parameters, look)],
      ['cluster', clusterText(prediction.points, look)]
    ],
    look
  )
  const { points, warnings } = prediction
  const parts = [facts, renderTable(pointColumns(points, look), look) + renderHotServers(warnings), renderGroups(points, look)]
  for (const servers of serversOf(points)) parts.push(renderChartOf(points, servers, look))
  return [...parts, renderWarnings(warnings, look)].filter(part => part !== '').join('\n')
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

/** What was found in the trace or given, a line each, with where it comes from. */
function parametersText(parameters: Prediction['parameters']): string {
  const rows = Object.entries(parameters)
    .filter(([, { source }]) => source !== 'default')
    .map(([name, { value, unit, source, note }]) => ({
      name: oneLine(name),
      value: oneLine(withUnit(value, unit)),
      source: note === undefined ? source : `${source}, ${oneLine(note)}`
    }))
  if (rows.length === 0) return 'all as assumed'
  const nameWidth = Math.max(...rows.map(row => row.name.length))
  const valueWidth = Math.max(...rows.map(row => row.value.length))
  return rows.map(({ name, value, source }) => `${name.padEnd(nameWidth)}  ${value.padEnd(valueWidth)}  ${source}`).join('\n')
}

/** What was neither found nor given, without the reasons: those stand in the JSON. */
function assumedText(parameters: Prediction['parameters'], look: Look): string {
  const items = Object.entries(parameters)
    .filter(([, { source }]) => source === 'default')
    .map(([name, { value, unit }]) => `${oneLine(name)} ${oneLine(withUnit(value, unit))}`)
  if (items.length === 0) return 'nothing'
  const labelWidth = 12
  return wrapItems(
    [...items.slice(0, -1).map(item => `${item},`), ...items.slice(-1)],
    Math.max((look.columns ?? 100) - labelWidth, 20)
  )
}

/** What all points have in common. */
function clusterText(points: Point[], look: Look): string {
  const [point] = points
  if (point === undefined) return 'none'
  const { bandwidth, batchSize, mode, policy } = point
  const servers = serversOf(points)
  return [
    servers.length === 1 ? count(servers[0], 'server') : `${servers.join(', ')} servers`,
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
  const roundRate = columnFormat(points.map(point => point.roundsPerSecond ?? Number.NaN))
  const rounds = (point: Point) => (point.roundsPerSecond === undefined ? '' : roundRate(point.roundsPerSecond))
  const column = (title: string, cell: (point: Point) => string, align: Column['align'] = 'right') => ({
    title,
    align,
    cells: points.map(cell)
  })
  return [
    column('workers', ({ workers }) => String(workers)),
    ...(serversOf(points).length > 1 ? [column('servers', ({ servers }) => String(servers))] : []),
    column('steps/s', ({ stepsPerSecond: { mean, ci95 } }) => `${rate(mean)} ${glyphs.plusMinus} ${rate((ci95[1] - ci95[0]) / 2)}`),
    column('95 % band', ({ stepsPerSecond: { band95 } }) => `${rate(band95[0])}${glyphs.to}${rate(band95[1])}`),
    column('examples/s', point => examples(point.examplesPerSecond)),
    ...(points.some(({ roundsPerSecond }) => roundsPerSecond !== undefined) ? [column('rounds/s', rounds)] : []),
    column('speed-up', ({ speedup }) => `${twoDecimals(speedup)}${glyphs.times}`),
    column('efficiency', ({ efficiency }) => percent(efficiency)),
    column('step p50', ({ stepMs }) => `${ms(stepMs.p50)} ms`),
    column('step p95', ({ stepMs }) => `${ms(stepMs.p95)} ms`),
    column('staleness', ({ staleness }) => staleness?.mean.toFixed(1) ?? ''),
    column('p95', ({ staleness }) => staleness?.p95.toFixed(0) ?? ''),
    column('bottleneck', ({ bottleneck }) => oneLine(bottleneck.resource), 'left'),
    column('elasticity', ({ bottleneck }) => twoDecimals(bottleneck.elasticity)),
    column('busy', ({ bottleneck, utilisation }) => percent(busyShare(bottleneck.resource, utilisation)))
  ]
}

/** Share of time the bottleneck is busy. Of both directions of a link taken as one, the busier. */
function busyShare(resource: string, utilisation: Point['utilisation']): number {
  const directions = ['pull', 'push', 'out', 'in'].map(direction => resource.replace(/pull and push|out and in/, direction))
  const shares = [resource, ...directions].filter(name => Object.hasOwn(utilisation, name)).map(name => utilisation[name])
  return shares.length > 0 ? Math.max(...shares) : Number.NaN
}
