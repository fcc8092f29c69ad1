import type { Inspection } from '@foretrain/predictor'
import { oneLine } from '@foretrain/predictor/text'
import type { Look } from './look.ts'
import { bytes, count, significant } from './numbers.ts'
import { renderWarnings, replayText } from './shared.ts'
import { renderFacts, renderTable } from './table.ts'

const mostFiles = 20
const mostHoles = 20

/** An inspection for people: files, steps, transfers per server, holes, replay error, warnings. */
export function renderInspection(inspection: Inspection, look: Look): string {
  const parts = [
    renderFacts(facts(inspection), look),
    files(inspection, look),
    transfers(inspection, look),
    holes(inspection, look)
  ]
  return [...parts, renderWarnings(inspection.warnings, look)].filter(part => part !== '').join('\n')
}

function facts({ steps, devices, operations, replay }: Inspection): Array<[string, string]> {
  const { mean, min, max } = steps.spanMs
  return [
    [
      'steps',
      `${steps.used} used, ${steps.dropped} dropped; ${significant(mean)} ms on average, ${significant(min)} to ${significant(max)} ms`
    ],
    ['devices', devices.length > 0 ? devices.map(oneLine).join('\n') : 'none'],
    [
      'operations',
      `${operations.used} used, ${operations.ignored} ignored, ${operations.imputed} imputed, ${operations.withoutDuration} without duration`
    ],
    ['replay', replayText(replay)]
  ]
}

function files(inspection: Inspection, look: Look): string {
  const shown = inspection.files.slice(0, mostFiles)
  const table = renderTable(
    [
      { title: 'file', align: 'left', cells: shown.map(file => oneLine(file.path)) },
      { title: 'format', align: 'left', cells: shown.map(file => oneLine(file.format)) },
      { title: 'size', align: 'right', cells: shown.map(file => bytes(file.bytes)) },
      { title: 'steps', align: 'right', cells: shown.map(file => String(file.steps)) }
    ],
    look
  )
  return table + andMore(inspection.files.length - shown.length, 'file')
}

function transfers(inspection: Inspection, look: Look): string {
  const rows = inspection.transfers
  return renderTable(
    [
      { title: 'direction', align: 'left', cells: rows.map(row => row.direction) },
      { title: 'server', align: 'right', cells: rows.map(row => String(row.server)) },
      { title: 'transfers a step', align: 'right', cells: rows.map(row => String(row.count)) },
      { title: 'bytes a step', align: 'right', cells: rows.map(row => bytes(row.bytes)) },
      { title: 'largest', align: 'right', cells: rows.map(row => bytes(row.largest)) }
    ],
    look
  )
}

function holes(inspection: Inspection, look: Look): string {
  if (inspection.holes.length === 0) return ''
  const shown = inspection.holes.slice(0, mostHoles)
  const table = renderTable(
    [
      { title: 'hole at', align: 'right', cells: shown.map(hole => `${significant(hole.startMs)} ms`) },
      { title: 'length', align: 'right', cells: shown.map(hole => `${significant(hole.durationMs)} ms`) },
      { title: 'after', align: 'left', cells: shown.map(hole => oneLine(hole.before)) },
      { title: 'before', align: 'left', cells: shown.map(hole => oneLine(hole.after)) }
    ],
    look
  )
  return table + andMore(inspection.holes.length - shown.length, 'hole')
}

function andMore(rest: number, noun: string): string {
  return rest > 0 ? `and ${count(rest, `more ${noun}`)}\n` : ''
}
