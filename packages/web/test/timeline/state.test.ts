import { beforeAll, describe, expect, test } from 'vitest'
import { walkLane } from '../../src/timeline/levelOfDetail.ts'
import { endUs, laneOf, type Slices, slicesOf } from '../../src/timeline/slices.ts'
import { type Change, TimelineState } from '../../src/timeline/state.ts'
import { placeText, sizeText, timeText } from '../../src/timeline/units.ts'
import { isWhole, panned, revealing, type View, wholeView, zoomed } from '../../src/timeline/view.ts'
import { onPaper, simulated } from './columns.ts'

describe('what is shown', () => {
  const span = { fromUs: 1000, toUs: 2000 }

  test('a zoom keeps the time under the pointer', () => {
    const view = zoomed(wholeView(span), 0.25, 0.3, span)
    const under = ({ fromUs, toUs }: View) => fromUs + 0.3 * (toUs - fromUs)
    expect(under(view)).toBeCloseTo(under(wholeView(span)), 9)
    expect(view.toUs - view.fromUs).toBeCloseTo(0.25 * 1020, 9)
  })

  test('no zoom or move leads out of everything, or into nothing', () => {
    let view = wholeView(span)
    for (let i = 0; i < 200; i++) view = zoomed(view, 0.5, 0.9, span)
    expect(view.toUs - view.fromUs).toBeCloseTo(0.5, 9)
    view = panned(view, Number.POSITIVE_INFINITY, span)
    expect(view.toUs).toBeCloseTo(2010, 9)
    view = panned(view, Number.NEGATIVE_INFINITY, span)
    expect(view.fromUs).toBeCloseTo(990, 9)
    for (let i = 0; i < 200; i++) view = zoomed(view, 2, 0.1, span)
    expect(isWhole(view, span)).toBe(true)
  })

  test('what is followed comes into sight, and what is in sight stays', () => {
    const view = { fromUs: 1100, toUs: 1200 }
    expect(revealing(view, { fromUs: 1150, toUs: 1160 }, span)).toBe(view)
    const moved = revealing(view, { fromUs: 1500, toUs: 1510 }, span)
    expect(moved.toUs - moved.fromUs).toBeCloseTo(100, 9)
    expect(moved.fromUs).toBeLessThan(1500)
    expect(moved.toUs).toBeGreaterThan(1510)
  })
})

describe('times and sizes in words', () => {
  test.each([
    [timeText(0), '0 µs'],
    [timeText(1.234), '1.23 µs'],
    [timeText(12_345), '12.3 ms'],
    [timeText(1_234_567), '1.23 s'],
    [placeText(15_425_056, 1), '15425.056 ms'],
    [placeText(2_500_000, 1e5), '2.5 s'],
    [sizeText(1_048_576), '1.05 MB'],
    [sizeText(12), '12 B']
  ])('%s', (text, expected) => expect(text).toBe(expected))
})

interface Piece {
  left: number
  right: number
  /** Of the pixels. */
  share: number
  merged: boolean
}

function piecesOf(slices: Slices, lane: number, view: View, width: number): Piece[] {
  const pieces: Piece[] = []
  walkLane(slices, lane, view, width, {
    slice: (_, left, right) => pieces.push({ left, right, share: 1, merged: false }),
    crowd: (_, left, right, share) => pieces.push({ left, right, share, merged: true })
  })
  return pieces
}

describe('level of detail', () => {
  test('what is a pixel wide is drawn as it is, what is narrower with its neighbours in the pixel', () => {
    const starts = [0, 20, 20.2, 20.7, 21.1, 50]
    const durations = [10, 0.1, 0.4, 0.2, 0.3, 5]
    const columns = onPaper(
      ['compute'],
      starts.map((startUs, i) => ({ lane: 0, startUs, durationUs: durations[i] }))
    )
    const pieces = piecesOf(slicesOf(columns), 0, { fromUs: 0, toUs: 100 }, 100)
    expect(pieces.map(({ left, right, merged }) => [left, right, merged])).toEqual([
      [0, 10, false],
      [20, 21, true],
      [21, 22, true],
      [50, 55, false]
    ])
    expect(pieces[1].share).toBeCloseTo(0.7, 9)
    expect(pieces[2].share).toBeCloseTo(0.3, 9)
  })

  test('a lane of many slices costs as many pieces as there are pixels, and none of their time is lost', () => {
    const count = 200_000
    const columns = onPaper(
      ['compute'],
      Array.from({ length: count }, (_, i) => ({ lane: 0, startUs: 10 * i, durationUs: (i % 7) + 1 }))
    )
    const width = 1000
    const view = { fromUs: 0, toUs: 10 * count }
    const pieces = piecesOf(slicesOf(columns), 0, view, width)
    expect(pieces.length).toBeLessThanOrEqual(width)
    const drawnUs = pieces.reduce((sum, { left, right, share }) => sum + (right - left) * share, 0) * ((10 * count) / width)
    const inAllUs = columns.durationUs.reduce((sum, us) => sum + us, 0)
    expect(drawnUs / inAllUs).toBeCloseTo(1, 6)
  })
})

describe('a simulated run', () => {
  let state: TimelineState
  let changes: Change[]
  beforeAll(async () => {
    const columns = await simulated(3, 2)
    changes = []
    state = new TimelineState(columns, change => changes.push(change))
  })

  test('every slice is met where it is drawn', () => {
    const { slices, rows } = state
    const width = 1000
    for (let slice = 0; slice < slices.startUs.length; slice += 37) {
      const row = rows.rows[rows.ofLane[laneOf(slices, slice)]]
      if (row === undefined || slices.durationUs[slice] === 0) continue
      state.zoomTo(slice)
      const { fromUs, toUs } = state.view
      const x = (((slices.startUs[slice] + endUs(slices, slice)) / 2 - fromUs) / (toUs - fromUs)) * width
      expect(state.sliceAt(x, row.top + row.height / 2, width)).toBe(slice)
    }
    state.fit()
  })

  test('whatever a slice followed is followed by it, and ends before it begins', () => {
    const { slices } = state
    let steps = 0
    for (let slice = 0; slice < slices.startUs.length; slice += 11) {
      state.select(slice)
      const { before, after } = state
      for (const earlier of before) {
        expect(endUs(slices, earlier)).toBeLessThanOrEqual(slices.startUs[slice] + 1e-3)
        state.select(earlier)
        expect(state.after).toContain(slice)
        steps++
      }
      for (const later of after) expect(slices.startUs[later]).toBeGreaterThanOrEqual(slices.startUs[slice])
    }
    expect(steps).toBeGreaterThan(500)
    state.select(undefined)
  })

  test('a pull on the wire is followed by its parsing and then by the compute that needs it', () => {
    const { slices } = state
    const isPull = (slice: number) => slices.bytes[slice] > 0 && slices.lanes[laneOf(slices, slice)].name === 'pull from server 0'
    const pull = slices.startUs.findIndex((_, slice) => isPull(slice))
    const names: string[] = []
    state.select(pull)
    for (let i = 0; i < 2; i++) {
      state.follow('after')
      names.push(slices.lanes[laneOf(slices, state.selected as number)].name.replace(/ \(\d+\)$/, ''))
    }
    expect(names[0]).toBe('parse')
    expect(names[1]).toMatch(/compute/)
    state.select(undefined)
  })

  test('a closed host opens for what is selected in it', () => {
    const { slices } = state
    const server = slices.hosts.findIndex(({ kind }) => kind === 'server')
    if (!state.isCollapsed(server)) state.toggle(server)
    const lane = slices.lanes.findIndex(({ host }) => host === server)
    expect(state.rows.ofLane[lane]).toBe(-1)
    state.select(slices.laneStart[lane])
    expect(state.isCollapsed(server)).toBe(false)
    expect(state.rows.ofLane[lane]).toBeGreaterThanOrEqual(0)
    expect(changes).toContain('rows')
  })
})
