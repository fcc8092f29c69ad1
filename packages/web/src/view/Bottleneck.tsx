import type { Point } from '@foretrain/predictor'
import { percent, twoDecimals } from '@foretrain/predictor/text'
import { seriesOf, UtilisationChart } from '../charts/UtilisationChart.tsx'
import { shownPoints } from '../state.ts'
import { TableTwin } from './TableTwin.tsx'

/** What limits the cluster at every size, and how busy everything is. */
export function Bottleneck() {
  const points = shownPoints.value.map(({ point }) => point)
  const series = seriesOf(points)
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
      <div class="chart-room utilisation-room">{points.length > 0 && <UtilisationChart points={points} />}</div>
      <p class="explain">A dot marks the resource whose capacity, raised by a tenth, would raise throughput most.</p>
      <TableTwin
        caption="Share of time that each kind of resource is busy, and the bottleneck"
        head={['workers', ...series.map(({ kind }) => kind), 'bottleneck', 'elasticity']}
        rows={points.map((point, i) => [
          String(point.workers),
          ...series.map(({ busy }) => percent(busy[i])),
          point.bottleneck.resource,
          twoDecimals(point.bottleneck.elasticity)
        ])}
      />
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
