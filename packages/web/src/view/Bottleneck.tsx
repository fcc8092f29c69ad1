import type { Point } from '@foretrain/predictor'
import { percent, twoDecimals } from '@foretrain/predictor/text'
import { seriesOf, UtilisationChart } from '../charts/UtilisationChart.tsx'
import { shownPoints } from '../state.ts'
import { ChartBlock, type Column } from './ChartBlock.tsx'

/** What limits the cluster at every size, and how busy everything is. */
export function Bottleneck() {
  const points = shownPoints.value.map(({ point }) => point)
  const columns: Column<Point>[] = [
    { title: 'workers', key: 'workers', value: ({ workers }) => workers },
    ...seriesOf(points).map(({ kind, busyOf }) => ({
      title: kind,
      key: `${kind.replace(' ', '_')}_busy_share`,
      value: busyOf,
      text: (point: Point) => percent(busyOf(point))
    })),
    { title: 'bottleneck', key: 'bottleneck', value: ({ bottleneck }) => bottleneck.resource },
    {
      title: 'elasticity',
      key: 'elasticity',
      value: ({ bottleneck }) => bottleneck.elasticity,
      text: ({ bottleneck }) => twoDecimals(bottleneck.elasticity)
    }
  ]
  return (
    <section class="card" aria-labelledby="bottleneck-title" data-testid="bottleneck">
      <h2 id="bottleneck-title">Bottleneck</h2>
      <ul class="runs">
        {runsOf(points).map(({ from, to, resource }) => (
          <li key={from}>
            <span class="run-sizes">
              {from === to ? from : `${from}–${to}`} {to === 1 ? 'worker' : 'workers'}
            </span>{' '}
            <strong>{resource}</strong>
          </li>
        ))}
      </ul>
      <ChartBlock
        name="bottleneck"
        caption="Share of time that each kind of resource is busy, and the bottleneck"
        columns={columns}
        rows={points}
      >
        <div class="chart-room utilisation-room">{points.length > 0 && <UtilisationChart points={points} />}</div>
        <p class="explain">A dot marks the resource whose capacity, raised by a tenth, would raise throughput most.</p>
      </ChartBlock>
    </section>
  )
}

/** Neighbouring cluster sizes with the same bottleneck. */
function runsOf(points: readonly Point[]): Array<{ from: number; to: number; resource: string }> {
  const runs: Array<{ from: number; to: number; resource: string }> = []
  for (const { workers, bottleneck } of points) {
    const last = runs[runs.length - 1]
    if (last?.resource === bottleneck.resource) last.to = workers
    else runs.push({ from: workers, to: workers, resource: bottleneck.resource })
  }
  return runs
}
