import { csvField, renderJson } from '@foretrain/predictor/text'
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { fail } from '../actions/problems.ts'
import { chartPng, chartSvg } from '../share/chartImage.ts'
import { download, downloadText, fileName } from '../share/download.ts'
import { trace } from '../state.ts'
import { TableTwin } from './TableTwin.tsx'

/** A column of the numbers behind a chart. */
export interface Column<Row> {
  /** Over the column on the page. */
  title: string
  /** Name in saved files, with the unit: "mean_ms". */
  key: string
  value: (row: Row) => string | number | null
  /** How the page writes the value. Default: as it is. */
  text?: (row: Row) => string
}

interface SavableProps {
  /** "staleness": in file names and for screen readers. */
  name: string
  /** Texts of the files. */
  csv: () => string
  json: () => string
  /** Whether there is something to save yet. */
  isReady: boolean
  /** Beside the buttons. */
  foot?: ComponentChildren
  children: ComponentChildren
}

/** A chart that can be saved, as a picture and as the numbers behind it. */
export function SavableChart({ foot, children, ...files }: SavableProps) {
  const host = useRef<HTMLDivElement>(null)
  return (
    <div class="chart-block" ref={host}>
      {children}
      <div class="chart-foot">
        {foot}
        <Save {...files} chart={() => host.current?.querySelector<SVGSVGElement>('.chart-svg')} />
      </div>
    </div>
  )
}

export interface ChartBlockProps<Row> {
  name: string
  /** Of the table. */
  caption: string
  columns: ReadonlyArray<Column<Row>>
  rows: readonly Row[]
  /** Text of a file that says more than the table. */
  json?: () => string
  children: ComponentChildren
}

/** A chart with its numbers as a table, and both as files. */
export function ChartBlock<Row>({ name, caption, columns, rows, json, children }: ChartBlockProps<Row>) {
  return (
    <SavableChart
      name={name}
      isReady={rows.length > 0}
      csv={() => csvOf(columns, rows)}
      json={json ?? (() => jsonOf(columns, rows))}
      foot={<TableTwin caption={caption} columns={columns} rows={rows} />}
    >
      {children}
    </SavableChart>
  )
}

interface SaveProps extends Pick<SavableProps, 'name' | 'csv' | 'json' | 'isReady'> {
  chart: () => SVGSVGElement | null | undefined
}

function Save({ name, isReady, csv, json, chart }: SaveProps) {
  const [busy, setBusy] = useState(false)
  const nameOf = (extension: string) => fileName([trace.value?.name ?? '', name], extension)
  const drawing = () => {
    const svg = chart()
    if (!svg) throw new Error('there is no chart')
    return svg
  }
  const kinds: Array<[label: string, save: () => void | Promise<void>]> = [
    ['CSV', () => downloadText(nameOf('csv'), 'text/csv', csv())],
    ['JSON', () => downloadText(nameOf('json'), 'application/json', json())],
    ['SVG', () => downloadText(nameOf('svg'), 'image/svg+xml', chartSvg(drawing()))],
    ['PNG', async () => download(nameOf('png'), await chartPng(drawing()))]
  ]
  const run = async (save: () => void | Promise<void>) => {
    setBusy(true)
    try {
      await save()
    } catch (error) {
      fail(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div class="saves" role="group" aria-label={`Save ${name}`}>
      <span class="saves-word" aria-hidden="true">
        Save
      </span>
      {kinds.map(([label, save]) => (
        <button
          key={label}
          type="button"
          disabled={!isReady || busy}
          aria-label={`Save ${name} as ${label}`}
          onClick={() => void run(save)}
        >
          {label}
        </button>
      ))}
    </div>
  )
}

function csvOf<Row>(columns: ReadonlyArray<Column<Row>>, rows: readonly Row[]): string {
  const lines = [columns.map(({ key }) => key), ...rows.map(row => columns.map(({ value }) => csvField(value(row))))]
  return lines.map(line => `${line.join(',')}\n`).join('')
}

function jsonOf<Row>(columns: ReadonlyArray<Column<Row>>, rows: readonly Row[]): string {
  return renderJson(rows.map(row => Object.fromEntries(columns.map(({ key, value }) => [key, value(row)]))))
}
