export interface TableTwinProps {
  caption: string
  head: readonly string[]
  /** Cells as they are read; the first of a row names it. */
  rows: ReadonlyArray<readonly string[]>
}

/** The numbers of a chart, for whoever does not see it or wants them exactly. */
export function TableTwin({ caption, head, rows }: TableTwinProps) {
  return (
    <details class="twin">
      <summary>Table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard */}
      <section class="table-place" tabIndex={0} aria-label={caption}>
        <table>
          <caption class="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {head.map(title => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([first, ...rest]) => (
              <tr key={first}>
                <th scope="row">{first}</th>
                {rest.map((cell, i) => (
                  <td key={head[i + 1]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}
