import type { Point } from '@foretrain/predictor'
import { count, percent } from '@foretrain/predictor/text'
import { choose } from '../actions/simulate.ts'
import { Bars } from '../charts/Bars.tsx'
import { binsOf, StalenessChart } from '../charts/StalenessChart.tsx'
import { curve, shownPoint } from '../state.ts'
import { ChartBlock } from './ChartBlock.tsx'
import { duration } from './written.ts'

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
          <div class="chart-room staleness-room">
            {point?.staleness && <Staleness workers={point.workers} staleness={point.staleness} />}
          </div>
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

function Breakdown({ point: { workers, breakdownMs, stepMs } }: { point: Point }) {
  const rows = parts.map(([key, name]) => ({ name, ms: breakdownMs[key], share: breakdownMs[key] / stepMs.mean }))
  const most = Math.max(...rows.map(({ ms }) => ms))
  const mean = duration(stepMs.mean * 1000)
  return (
    <ChartBlock
      name={`step with ${count(workers, 'worker')}`}
      caption="Parts of a mean step along its critical path"
      columns={[
        { title: 'part', key: 'part', value: ({ name }) => name },
        { title: 'time', key: 'mean_ms', value: ({ ms }) => ms, text: ({ ms }) => duration(ms * 1000) },
        { title: 'share', key: 'share', value: ({ share }) => share, text: ({ share }) => percent(share) }
      ]}
      rows={rows}
    >
      <Bars
        label={`Parts of a mean step of ${mean} along its critical path`}
        bars={rows.map(({ name, ms, share }) => ({
          name,
          value: ms,
          text: `${duration(ms * 1000)} · ${percent(share)}`,
          strong: ms === most
        }))}
        names={80}
      />
      <p class="explain">A mean step takes {mean}, split along its critical path.</p>
    </ChartBlock>
  )
}

interface StalenessProps {
  workers: number
  staleness: NonNullable<Point['staleness']>
}

function Staleness({ workers, staleness: { mean, p50, p95, histogram } }: StalenessProps) {
  const bins = binsOf(histogram)
  return (
    <ChartBlock
      name={`staleness with ${count(workers, 'worker')}`}
      caption="Share of the steps by staleness"
      columns={[
        {
          title: 'staleness',
          key: 'staleness_from',
          value: ({ from }) => from,
          text: ({ from, to }) => (from === to ? String(from) : `${from}–${to}`)
        },
        { title: 'share of steps', key: 'share_of_steps', value: ({ share }) => share, text: ({ share }) => percent(share) }
      ]}
      rows={bins}
    >
      <StalenessChart bins={bins} />
      <p class="explain">
        mean {mean.toFixed(1)}, median {p50.toFixed(0)}, 95 % of the steps at most {p95.toFixed(0)}
      </p>
    </ChartBlock>
  )
}
