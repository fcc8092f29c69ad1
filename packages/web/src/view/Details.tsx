import type { Point } from '@foretrain/predictor'
import { count, percent, withUnit } from '@foretrain/predictor/text'
import { choose } from '../actions.ts'
import { Bars } from '../charts/Bars.tsx'
import { binsOf, StalenessChart } from '../charts/StalenessChart.tsx'
import { curve, shownPoint } from '../state.ts'
import { TableTwin } from './TableTwin.tsx'

/** One cluster size looked at closely. */
export function Details() {
  const point = shownPoint.value?.point
  const sizes = curve.value?.sizes ?? []
  return (
    <section class="card" aria-labelledby="details-title">
      <div class="card-head">
        <h2 id="details-title">One cluster</h2>
        <label class="inline">
          looking at{' '}
          <select value={String(point?.workers ?? '')} onChange={event => choose(Number(event.currentTarget.value))}>
            {sizes.map(size => (
              <option key={size} value={String(size)}>
                {count(size, 'worker')}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div class="pair">
        <div>
          <h3>Where a step goes</h3>
          <div class="chart-room breakdown-room">{point && <Breakdown point={point} />}</div>
        </div>
        <div>
          <h3>Staleness</h3>
          <div class="chart-room staleness-room">{point?.staleness && <Staleness staleness={point.staleness} />}</div>
        </div>
      </div>
    </section>
  )
}

const parts: ReadonlyArray<[keyof Point['breakdownMs'], string]> = [
  ['compute', 'compute'],
  ['wire', 'wire'],
  ['queue', 'queue'],
  ['latency', 'latency'],
  ['parse', 'parse'],
  ['serverCpu', 'server cpu'],
  ['barrier', 'barrier'],
  ['overhead', 'overhead']
]

function Breakdown({ point: { breakdownMs, stepMs } }: { point: Point }) {
  const bars = parts.map(([key, name]) => ({ name, value: breakdownMs[key], text: textOf(breakdownMs[key]) }))
  const most = Math.max(...bars.map(({ value }) => value))
  function textOf(ms: number) {
    return `${withUnit(ms * 1000, 'us')} · ${percent(ms / stepMs.mean)}`
  }
  return (
    <>
      <Bars
        label={`Parts of a mean step of ${withUnit(stepMs.mean * 1000, 'us')} along its critical path`}
        bars={bars.map(bar => ({ ...bar, strong: bar.value === most }))}
        names={80}
      />
      <p class="explain">A mean step takes {withUnit(stepMs.mean * 1000, 'us')}, split along its critical path.</p>
      <TableTwin
        caption="Parts of a mean step along its critical path"
        head={['part', 'time', 'share']}
        rows={parts.map(([key, name]) => [name, withUnit(breakdownMs[key] * 1000, 'us'), percent(breakdownMs[key] / stepMs.mean)])}
      />
    </>
  )
}

function Staleness({ staleness: { mean, p50, p95, histogram } }: { staleness: NonNullable<Point['staleness']> }) {
  const bins = binsOf(histogram)
  return (
    <>
      <StalenessChart bins={bins} />
      <p class="explain">
        mean {mean.toFixed(1)}, median {p50.toFixed(0)}, 95 % of the steps at most {p95.toFixed(0)}
      </p>
      <TableTwin
        caption="Share of the steps by staleness"
        head={['staleness', 'share of steps']}
        rows={bins.map(({ from, to, share }) => [from === to ? String(from) : `${from}–${to}`, percent(share)])}
      />
    </>
  )
}
