import type { Point } from '@foretrain/predictor'
import { significant } from '@foretrain/predictor/text'
import { useState } from 'preact/hooks'
import type { CurvePoint } from '../engine/curve.ts'
import type { Measured } from '../measured.ts'
import { Frame, pathThrough } from './Frame.tsx'
import { ticks, wholeTicks } from './scale.ts'

const height = 380

export interface ThroughputChartProps {
  sizes: readonly number[]
  /** Ascending by workers. */
  points: readonly CurvePoint[]
  measured: Measured | undefined
  chosen: number | undefined
  onChoose: (size: number) => void
}

/** Throughput over cluster size: the curve with its interval and band, the lowest bound, linear growth, and what was measured. */
export function ThroughputChart({ sizes, points, measured, chosen, onChoose }: ThroughputChartProps) {
  const [hovered, setHovered] = useState<number>()
  const first = sizes[0]
  const last = sizes[sizes.length - 1]
  const domain: [number, number] = first === last ? [first - 1, last + 1] : [first, last]
  const inView = (measured?.points ?? []).filter(({ workers }) => workers >= domain[0] && workers <= domain[1])
  const tops = [
    ...points.map(({ point }) => (hasBand(point) ? point.stepsPerSecond.band95[1] : point.stepsPerSecond.mean)),
    ...inView.map(({ ci95 }) => ci95[1])
  ]
  const most = tops.length > 0 ? Math.max(...tops) * 1.06 : 1
  const yTicks = ticks(most, 5)
  const top = yTicks[yTicks.length - 1]
  const sure = points.filter(({ level }) => level === 'full')
  const under = nearest(points, hovered)
  const alone = points.find(({ point }) => point.workers === 1)?.point.stepsPerSecond.mean ?? perWorkerOf(points[0]?.point)
  return (
    <div class="chart-with-tip">
      <Frame
        testId="throughput-chart"
        label={labelOf(points)}
        height={height}
        right={24}
        x={{ domain, ticks: wholeTicks(first, last, 12), title: 'workers' }}
        y={{ ticks: yTicks, title: 'throughput, worker-steps per second' }}
        onPoint={setHovered}
        onPick={x => {
          const picked = nearest(points, x)
          if (picked) onChoose(picked.point.workers)
        }}
      >
        {({ x, y }) => (
          <>
            <clipPath id="throughput-area">
              <rect
                x={x.range[0] - 8}
                y={y.range[1] - 8}
                width={x.range[1] - x.range[0] + 16}
                height={y.range[0] - y.range[1] + 8}
              />
            </clipPath>
            <g clip-path="url(#throughput-area)">
              {sure.length > 1 && (
                <path
                  class="band"
                  d={`${pathThrough([
                    ...sure.map(({ point }) => [x(point.workers), y(point.stepsPerSecond.band95[1])] as const),
                    ...[...sure].reverse().map(({ point }) => [x(point.workers), y(point.stepsPerSecond.band95[0])] as const)
                  ])}Z`}
                />
              )}
              {alone > 0 && first < last && (
                <path class="linear" d={pathThrough([first, Math.min(last, top / alone)].map(n => [x(n), y(n * alone)]))} />
              )}
              {sure.length > 1 && (
                <path class="bound" d={pathThrough(sure.map(({ point }) => [x(point.workers), y(lowestBound(point).rate)]))} />
              )}
              <path
                class={sure.length === points.length ? 'curve' : 'curve provisional'}
                d={pathThrough(points.map(({ point }) => [x(point.workers), y(point.stepsPerSecond.mean)]))}
              />
            </g>
            {points.map(({ level, point }) => (
              <g key={point.workers} class={`mark ${level}${point.workers === chosen ? ' chosen' : ''}`}>
                {level === 'full' && (
                  <path
                    class="interval"
                    d={whisker(x(point.workers), y(point.stepsPerSecond.ci95[0]), y(point.stepsPerSecond.ci95[1]))}
                  />
                )}
                <circle cx={x(point.workers)} cy={y(point.stepsPerSecond.mean)} r={point.workers === chosen ? 5.5 : 3.5} />
              </g>
            ))}
            {inView.map(({ workers, stepsPerSecond, ci95 }) => (
              <g key={workers} class="measured">
                <path d={whisker(x(workers), y(ci95[0]), y(ci95[1]))} />
                <path d={`M${x(workers)} ${y(stepsPerSecond) - 5}l5 5l-5 5l-5 -5Z`} />
              </g>
            ))}
            {under && (
              <line class="crosshair" x1={x(under.point.workers)} x2={x(under.point.workers)} y1={y.range[1]} y2={y.range[0]} />
            )}
          </>
        )}
      </Frame>
      {under && (
        <div class={`tip ${under.point.workers > (domain[0] + domain[1]) / 2 ? 'tip-left' : 'tip-right'}`} aria-hidden="true">
          <strong>
            {under.point.workers} {under.point.workers === 1 ? 'worker' : 'workers'}
          </strong>
          <span>{significant(under.point.stepsPerSecond.mean)} steps/s</span>
          {under.level === 'full' && (
            <span>95 % band {under.point.stepsPerSecond.band95.map(end => significant(end)).join('–')}</span>
          )}
          <span>bottleneck: {under.point.bottleneck.resource}</span>
        </div>
      )}
    </div>
  )
}

/** The simplest limit that holds for this cluster, and what sets it. */
export function lowestBound({ bounds }: Point): { name: string; rate: number } {
  const names = { compute: 'worker compute', pullLink: 'pull link', pushLink: 'push link', serverCpu: 'server cpu' }
  return (Object.keys(names) as Array<keyof typeof names>)
    .map(key => ({ name: names[key], rate: bounds[key] }))
    .filter(({ rate }) => rate > 0)
    .reduce((least, one) => (one.rate < least.rate ? one : least))
}

const hasBand = (point: Point) => Number.isFinite(point.stepsPerSecond.band95[1])

function perWorkerOf(point: Point | undefined): number {
  return point === undefined ? 0 : point.stepsPerSecond.mean / point.speedup
}

function nearest(points: readonly CurvePoint[], x: number | undefined): CurvePoint | undefined {
  if (x === undefined || points.length === 0) return undefined
  return points.reduce((best, one) => (Math.abs(one.point.workers - x) < Math.abs(best.point.workers - x) ? one : best))
}

function whisker(x: number, low: number, high: number): string {
  return `M${x - 3} ${low}h6M${x} ${low}V${high}M${x - 3} ${high}h6`
}

function labelOf(points: readonly CurvePoint[]): string {
  if (points.length === 0) return 'Throughput over the number of workers: being simulated'
  const ends = [points[0], points[points.length - 1]].map(
    ({ point }) => `${significant(point.stepsPerSecond.mean)} steps per second with ${point.workers}`
  )
  return `Throughput over the number of workers: ${ends.join(', ')}. The table below has all numbers.`
}
