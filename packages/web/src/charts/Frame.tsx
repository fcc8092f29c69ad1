import type { ComponentChildren } from 'preact'
import { linear, type Scale, tickText } from './scale.ts'
import { useWidth } from './useWidth.ts'

/** Axes, grid and size that the charts over cluster size share. */

export interface FrameProps {
  /** For screen readers: what is drawn; the numbers stand in the table beside it. */
  label: string
  testId?: string
  height: number
  x: { domain: [number, number]; ticks: number[]; title: string; text?: (value: number) => string }
  y: { ticks: number[]; title: string; text?: (value: number) => string }
  /** Space to the right, for labels of lines. */
  right?: number
  /** What is under the pointer, in values of the horizontal axis; undefined when it leaves. */
  onPoint?: (x: number | undefined) => void
  onPick?: (x: number) => void
  children: (scales: { x: Scale; y: Scale; width: number }) => ComponentChildren
}

const margin = { top: 12, bottom: 46, left: 58 }

export function Frame({ label, testId, height, x, y, right = 20, onPoint, onPick, children }: FrameProps) {
  const [host, width] = useWidth(680)
  const scaleX = linear(x.domain, [margin.left, Math.max(margin.left + 40, width - right)])
  const scaleY = linear([y.ticks[0], y.ticks[y.ticks.length - 1]], [height - margin.bottom, margin.top])
  const bottom = height - margin.bottom
  const end = scaleX.range[1]
  const valueAt = (event: { clientX: number; currentTarget: Element }) => {
    const px = event.clientX - event.currentTarget.getBoundingClientRect().left
    const share = (px - margin.left) / (end - margin.left)
    return x.domain[0] + Math.min(1, Math.max(0, share)) * (x.domain[1] - x.domain[0])
  }
  return (
    <div class="chart" ref={host} style={{ height: `${height}px` }}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the buttons of the table choose by keyboard what a click here chooses */}
      <svg
        class="chart-svg"
        data-testid={testId}
        role="img"
        aria-label={label}
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        onPointerMove={onPoint && (event => onPoint(valueAt(event)))}
        onPointerLeave={onPoint && (() => onPoint(undefined))}
        onClick={onPick && (event => onPick(valueAt(event)))}
      >
        <g class="grid">
          {y.ticks.map(tick => (
            <line key={tick} x1={margin.left} x2={end} y1={scaleY(tick)} y2={scaleY(tick)} />
          ))}
        </g>
        <g class="ticks">
          {y.ticks.map(tick => (
            <text key={tick} x={margin.left - 8} y={scaleY(tick)} dy="0.32em" text-anchor="end">
              {y.text ? y.text(tick) : tickText(tick, y.ticks)}
            </text>
          ))}
          {x.ticks.map(tick => (
            <text key={tick} x={scaleX(tick)} y={bottom + 18} text-anchor="middle">
              {x.text ? x.text(tick) : String(tick)}
            </text>
          ))}
        </g>
        <line class="axis" x1={margin.left} x2={end} y1={bottom} y2={bottom} />
        <text class="axis-title" x={(margin.left + end) / 2} y={height - 8} text-anchor="middle">
          {x.title}
        </text>
        <text class="axis-title" transform={`translate(14 ${(margin.top + bottom) / 2}) rotate(-90)`} text-anchor="middle">
          {y.title}
        </text>
        {children({ x: scaleX, y: scaleY, width })}
      </svg>
    </div>
  )
}

/** "M x y L x y …" through points. */
export function pathThrough(points: ReadonlyArray<readonly [number, number]>): string {
  return points.map(([px, py], i) => `${i === 0 ? 'M' : 'L'}${px.toFixed(1)} ${py.toFixed(1)}`).join('')
}
