import type { Point } from '@foretrain/predictor'
import { Frame, pathThrough } from './Frame.tsx'
import { wholeTicks } from './scale.ts'

/** A kind of resource over cluster size; of several servers the busiest. */
export interface Series {
  kind: string
  /** Share of time, 0 to 1. */
  busyOf: (point: Point) => number
}

const kinds = ['worker compute', 'pull link', 'push link', 'out link', 'in link', 'cpu'] as const
const height = 300
const labelRoom = 118
const labelHeight = 16

/** Utilisation by kind of resource: what is never busy is left out. */
export function seriesOf(points: readonly Point[]): Series[] {
  return kinds
    .map(kind => ({
      kind: kind === 'cpu' ? 'server cpu' : kind,
      busyOf: ({ utilisation }: Point) => busiest(utilisation, kind)
    }))
    .filter(({ busyOf }) => points.some(point => busyOf(point) > 0.005))
}

function busiest(utilisation: Point['utilisation'], kind: string): number {
  return Object.entries(utilisation).reduce((most, [name, share]) => (name.endsWith(kind) ? Math.max(most, share) : most), 0)
}

/** How busy each kind of resource is over cluster size; a dot where it is the bottleneck. */
export function UtilisationChart({ points }: { points: readonly Point[] }) {
  const series = seriesOf(points)
  const first = points[0].workers
  const last = points[points.length - 1].workers
  const domain: [number, number] = first === last ? [first - 1, last + 1] : [first, last]
  return (
    <Frame
      label={`How busy workers, links and servers are with ${first} to ${last} workers. The table below has all numbers.`}
      height={height}
      right={labelRoom}
      x={{ domain, ticks: wholeTicks(first, last, 10), title: 'workers' }}
      y={{ ticks: [0, 0.25, 0.5, 0.75, 1], title: 'share of time busy', text: tick => `${tick * 100} %` }}
    >
      {({ x, y }) => {
        const labels = apart(series.map(({ busyOf }) => y(busyOf(points[points.length - 1]))))
        return series.map(({ kind, busyOf }, i) => (
          <g key={kind} class={`series series-${i}`}>
            <path d={pathThrough(points.map(point => [x(point.workers), y(busyOf(point))]))} />
            {points.map(point =>
              limits(point, kind) ? <circle key={point.workers} cx={x(point.workers)} cy={y(busyOf(point))} r={4.5} /> : null
            )}
            <text x={x.range[1] + 10} y={labels[i]} dy="0.34em">
              {kind}
            </text>
          </g>
        ))
      }}
    </Frame>
  )
}

/** "server 0 pull and push link" is both of its directions. */
function limits({ bottleneck: { resource } }: Point, kind: string): boolean {
  if (resource.endsWith(kind) || (kind === 'server cpu' && resource.endsWith('cpu'))) return true
  const [direction, noun] = kind.split(' ')
  return noun === 'link' && / and /.test(resource) && resource.split(/[ ]/).includes(direction)
}

/** Moves labels down until none covers another. */
function apart(wanted: readonly number[]): number[] {
  const placed = [...wanted]
  const order = [...placed.keys()].sort((a, b) => placed[a] - placed[b])
  order.forEach((at, i) => {
    if (i > 0) placed[at] = Math.max(placed[at], placed[order[i - 1]] + labelHeight)
  })
  return placed
}
