import type { Point, Warning } from '@foretrain/predictor'
import { oneLine } from '@foretrain/predictor/text'
import { renderChart } from './chart.ts'
import { type Look, paint } from './look.ts'
import { columnFormat } from './numbers.ts'
import { renderTable } from './table.ts'

/** Numbers of servers among the points, each once, in their order. */
export function serversOf(points: readonly Point[]): number[] {
  return [...new Set(points.map(({ servers }) => servers))]
}

/** What stands below the table where one server carries noticeably more than the others. */
export function renderHotServers(warnings: readonly Warning[]): string {
  return warnings.flatMap(({ code, message }) => (code === 'hot-server' ? [`${oneLine(message)}\n`] : [])).join('')
}

/** The curve of the points with one number of servers; says with how many where there are several. */
export function renderChartOf(points: readonly Point[], servers: number, look: Look): string {
  const chart = renderChart(
    points.filter(point => point.servers === servers),
    look
  )
  if (chart === '' || serversOf(points).length === 1) return chart
  return `${paint(look, 'bold', `${servers} ${servers === 1 ? 'server' : 'servers'}`)}\n${chart}`
}

/** Of unequal workers, a line for each group and point: the mean rate of one of its workers. */
export function renderGroups(points: readonly Point[], look: Look): string {
  const rows = points.flatMap(point => (point.groups ?? []).map(group => ({ point, group })))
  if (rows.length === 0) return ''
  const rate = columnFormat(rows.map(({ group }) => group.stepsPerSecond))
  const several = serversOf(points).length > 1
  return renderTable(
    [
      { title: 'workers', align: 'right', cells: rows.map(({ point }) => String(point.workers)) },
      ...(several ? [{ title: 'servers', align: 'right' as const, cells: rows.map(({ point }) => String(point.servers)) }] : []),
      { title: 'of them', align: 'right', cells: rows.map(({ group }) => String(group.workers)) },
      { title: 'group', align: 'left', cells: rows.map(({ group }) => oneLine(group.label)) },
      { title: 'steps/s each', align: 'right', cells: rows.map(({ group }) => rate(group.stepsPerSecond)) }
    ],
    look
  )
}
