import { useWidth } from './useWidth.ts'

export interface Bar {
  name: string
  value: number
  /** In words, with its unit. */
  text: string
  /** Ends of the interval of the value. */
  interval?: [number, number]
  /** Drawn in the accent colour. */
  strong?: boolean
}

export interface BarsProps {
  label: string
  bars: readonly Bar[]
  /** Widest name, in pixels. */
  names: number
}

const row = 30
const textWidth = 176

/** Horizontal bars from zero, to either side, with intervals. */
export function Bars({ label, bars, names }: BarsProps) {
  const [host, width] = useWidth(680)
  const ends = bars.flatMap(({ value, interval }) => [value, ...(interval ?? [])])
  const least = Math.min(0, ...ends)
  const most = Math.max(0, ...ends)
  const start = names + 12
  const room = Math.max(40, width - start - textWidth)
  const x = (value: number) => start + ((value - least) / (most - least || 1)) * room
  const height = Math.max(1, bars.length) * row
  return (
    <div class="chart" ref={host} style={{ height: `${height}px` }}>
      <svg class="chart-svg" role="img" aria-label={label} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        {bars.map(({ name, value, text, interval, strong }, i) => {
          const middle = i * row + row / 2
          const from = Math.min(x(0), x(value))
          return (
            <g key={name} class={strong ? 'bar strong' : 'bar'}>
              <text x={names} y={middle} dy="0.34em" text-anchor="end">
                {name}
              </text>
              <rect x={from} y={middle - 8} width={Math.max(1, Math.abs(x(value) - x(0)))} height={16} rx={2} />
              {interval && (
                <path
                  d={`M${x(interval[0])} ${middle}H${x(interval[1])}M${x(interval[0])} ${middle - 4}v8M${x(interval[1])} ${middle - 4}v8`}
                />
              )}
              <text class="bar-text" x={start + room + 10} y={middle} dy="0.34em">
                {text}
              </text>
            </g>
          )
        })}
        <line class="axis" x1={x(0)} x2={x(0)} y1={0} y2={height} />
      </svg>
    </div>
  )
}
