import type { Prediction } from '@foretrain/predictor'
import { columnFormat, percent, predictionCsv, renderJson, twoDecimals } from '@foretrain/predictor/text'
import { choose } from '../actions/simulate.ts'
import { lowestBound, ThroughputChart } from '../charts/ThroughputChart.tsx'
import type { CurvePoint } from '../engine/curve.ts'
import { curve, measured, shownPoints, shownSize, simulating } from '../state.ts'
import { SavableChart } from './ChartBlock.tsx'
import { signed } from './written.ts'

/** The curve and its table. */
export function Throughput() {
  const current = curve.value
  const sizes = current?.sizes ?? [1, 16]
  const points = shownPoints.value
  const chosen = shownSize.value
  const prediction = current?.prediction
  return (
    <section class="card" aria-labelledby="throughput-title" aria-busy={simulating.value}>
      <div class="card-head">
        <h2 id="throughput-title">Throughput</h2>
        <State />
      </div>
      <SavableChart
        name="throughput"
        isReady={prediction !== undefined}
        csv={() => predictionCsv(prediction!)}
        json={() => renderJson(prediction)}
      >
        <ThroughputChart sizes={sizes} points={points} measured={measured.value} chosen={chosen} onChoose={choose} />
        <ul class="legend" aria-label="In the chart">
          <li class="key-curve">mean, 95 % interval</li>
          <li class="key-band">95 % band for a real cluster</li>
          <li class="key-bound">lowest bound</li>
          <li class="key-linear">linear growth</li>
          {measured.value && <li class="key-measured">measured</li>}
        </ul>
      </SavableChart>
      <ThroughputTable sizes={sizes} chosen={chosen} />
    </section>
  )
}

/** How far the simulation is; its words have a place of their own, so that nothing moves. */
function State() {
  const current = curve.value
  const done = [...(current?.points.values() ?? [])].filter(({ level }) => level === 'full').length
  const words = current?.prediction
    ? precisionOf(current.prediction)
    : simulating.value
      ? `simulating: ${done} of ${current?.sizes.length ?? '…'} sizes`
      : ''
  return (
    <p class="state" role="status" data-testid="state" data-level={current?.prediction ? 'done' : (current?.level ?? 'none')}>
      {words}
    </p>
  )
}

/** What the widest interval is, which is not always what was asked for. */
function precisionOf({ points }: Prediction): string {
  const widths = points.map(({ stepsPerSecond: { mean, ci95 } }) => (ci95[1] - ci95[0]) / 2 / mean)
  return `means to ±${percent(Math.max(...widths))}`
}

function ThroughputTable({ sizes, chosen }: { sizes: readonly number[]; chosen: number | undefined }) {
  const known = curve.value?.points
  const points = [...(known?.values() ?? [])].map(({ point }) => point)
  const rate = columnFormat(points.map(({ stepsPerSecond }) => stepsPerSecond.mean))
  const band = columnFormat(
    points.map(({ stepsPerSecond }) => stepsPerSecond.mean),
    3
  )
  const examples = columnFormat(points.map(({ examplesPerSecond }) => examplesPerSecond))
  const ms = columnFormat(
    points.map(({ stepMs }) => stepMs.p50),
    4,
    2
  )
  const facts = new Map(measured.value?.points.map(point => [point.workers, point]))
  const isSync = points.some(({ roundsPerSecond }) => roundsPerSecond !== undefined)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard
    <section class="table-place" tabIndex={0} aria-label="Throughput of every cluster size">
      <table data-testid="throughput-table">
        <caption class="visually-hidden">
          Throughput of every cluster size. The first column chooses what the details below show.
        </caption>
        <thead>
          <tr>
            <Head title="workers" />
            <Head title="throughput" unit="steps/s, ± 95 %" />
            {measured.value && <Head title="measured" unit="steps/s" />}
            {measured.value && <Head title="error" unit="%" />}
            <Head title="95 % band" unit="steps/s" />
            <Head title="examples" unit="/s" />
            {isSync && <Head title="rounds" unit="/s" />}
            <Head title="speed-up" unit="×" />
            <Head title="efficiency" unit="%" />
            <Head title="step p50" unit="ms" />
            <Head title="staleness" unit="mean" />
            <Head title="bound" unit="steps/s" />
            <Head title="bottleneck" isWords />
          </tr>
        </thead>
        <tbody>
          {sizes.map(size => (
            <Row
              key={size}
              size={size}
              entry={known?.get(size)}
              isChosen={size === chosen}
              fact={facts.get(size)?.stepsPerSecond}
              hasFacts={measured.value !== undefined}
              isSync={isSync}
              write={{ rate, band, examples, ms }}
            />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Head({ title, unit, isWords }: { title: string; unit?: string; isWords?: boolean }) {
  return (
    <th scope="col" class={isWords ? 'words' : undefined}>
      {title} <small>{unit ?? ''}</small>
    </th>
  )
}

interface RowProps {
  size: number
  entry: CurvePoint | undefined
  isChosen: boolean
  fact: number | undefined
  hasFacts: boolean
  isSync: boolean
  write: Record<'rate' | 'band' | 'examples' | 'ms', (value: number | undefined) => string>
}

function Row({ size, entry, isChosen, fact, hasFacts, isSync, write: { rate, band, examples, ms } }: RowProps) {
  const point = entry?.point
  const isFull = entry?.level === 'full'
  const halfWidth = point && (point.stepsPerSecond.ci95[1] - point.stepsPerSecond.ci95[0]) / 2
  return (
    <tr
      class={`${isChosen ? 'chosen ' : ''}${isFull ? '' : 'provisional'}`}
      data-workers={size}
      data-level={entry?.level ?? 'none'}
    >
      <th scope="row">
        <button type="button" class="size" aria-pressed={isChosen} onClick={() => choose(size)}>
          {size}
        </button>
      </th>
      <td class="main-value">
        {point ? (
          <data value={String(point.stepsPerSecond.mean)}>
            {rate(point.stepsPerSecond.mean)}
            {isFull && ` ± ${rate(halfWidth)}`}
          </data>
        ) : (
          '…'
        )}
      </td>
      {hasFacts && <td>{fact === undefined ? '' : rate(fact)}</td>}
      {hasFacts && <td>{fact === undefined || point === undefined ? '' : signed(point.stepsPerSecond.mean / fact - 1)}</td>}
      <td>{isFull ? point!.stepsPerSecond.band95.map(end => band(end)).join('–') : '…'}</td>
      <td>{point ? examples(point.examplesPerSecond) : '…'}</td>
      {isSync && <td>{point?.roundsPerSecond === undefined ? '…' : rate(point.roundsPerSecond)}</td>}
      <td>{point ? twoDecimals(point.speedup) : '…'}</td>
      <td>{point ? (point.efficiency * 100).toFixed(0) : '…'}</td>
      <td>{point ? ms(point.stepMs.p50) : '…'}</td>
      <td>{point?.staleness ? point.staleness.mean.toFixed(1) : '…'}</td>
      <td>{point ? rate(lowestBound(point).rate) : '…'}</td>
      <td class="words">{point ? point.bottleneck.resource : '…'}</td>
    </tr>
  )
}
