import type { Column } from './ChartBlock.tsx'

export interface TableTwinProps<Row> {
  caption: string
  /** The first one names its rows. */
  columns: ReadonlyArray<Column<Row>>
  rows: readonly Row[]
}

/** The numbers of a chart, for whoever does not see it or wants them exactly. */
export function TableTwin<Row>({ caption, columns, rows }: TableTwinProps<Row>) {
  const [names, ...others] = columns
  const textOf = ({ text, value }: Column<Row>, row: Row) => (text ? text(row) : String(value(row) ?? ''))
  return (
    <details class="twin">
      <summary>Table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard */}
      <section class="table-place" tabIndex={0} aria-label={caption}>
        <table>
          <caption class="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {columns.map(({ title }) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(row => (
              <tr key={textOf(names, row)}>
                <th scope="row">{textOf(names, row)}</th>
                {others.map(column => (
                  <td key={column.title}>{textOf(column, row)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}
