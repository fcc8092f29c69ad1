import { Frame } from './Frame.tsx'
import { ticks, tickText, wholeTicks } from './scale.ts'

const height = 240
/** Bars beyond would be thinner than the space between them. */
const mostBars = 60

export interface Bin {
  /** Staleness, both ends inclusive. */
  from: number
  to: number
  share: number
}

/** Shares of the steps by staleness, in bins of equal width, as many as can be told apart. */
export function binsOf(histogram: readonly number[]): Bin[] {
  const steps = histogram.reduce((sum, count) => sum + count, 0)
  const width = Math.ceil(histogram.length / mostBars)
  return Array.from({ length: Math.ceil(histogram.length / width) }, (_, bin) => {
    const from = bin * width
    const counts = histogram.slice(from, from + width)
    return { from, to: from + counts.length - 1, share: counts.reduce((sum, count) => sum + count, 0) / steps }
  })
}

/** How many updates by others fall between a step's first pull and its last push. */
export function StalenessChart({ bins }: { bins: readonly Bin[] }) {
  const last = bins[bins.length - 1].to
  const yTicks = ticks(Math.max(...bins.map(({ share }) => share)), 4)
  return (
    <Frame
      label={`Staleness of the steps, from 0 to ${last} updates by others. The table below has all numbers.`}
      height={height}
      x={{ domain: [-0.5, last + 0.5], ticks: wholeTicks(0, last, 10), title: 'staleness, updates by other workers' }}
      y={{
        ticks: yTicks,
        title: 'share of steps',
        text: share =>
          `${tickText(
            share * 100,
            yTicks.map(tick => tick * 100)
          )} %`
      }}
    >
      {({ x, y }) =>
        bins.map(({ from, to, share }) => {
          const left = x(from - 0.5)
          const width = x(to + 0.5) - left
          return (
            <rect
              key={from}
              class="column"
              x={left + width * 0.08}
              width={Math.max(1, width * 0.84)}
              y={y(share)}
              height={Math.max(0, y(0) - y(share))}
            />
          )
        })
      }
    </Frame>
  )
}
