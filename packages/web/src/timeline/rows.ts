import type { TimelineColumns } from '@foretrain/predictor'

/** What stands below each other, from top to bottom. Places are pixels from the top of all rows. */
export interface Row {
  top: number
  height: number
  /** Index into the hosts. */
  host: number
  content: { kind: 'host'; collapsed: boolean } | { kind: 'lane'; lane: number } | { kind: 'counter'; counter: number }
  /** Of the first lane of a resource. */
  label: string | undefined
}

export interface Rows {
  rows: Row[]
  height: number
  /** Row of each lane; -1 where its host is collapsed. */
  ofLane: Int32Array
}

const heights = { host: 26, lane: 14, short: 8, waiting: 6, counter: 24 }
/** Between two resources of a host. */
const GAP = 3

/** @param collapsed hosts of which only the name is shown */
export function layOut({ lanes, hosts, counters }: TimelineColumns, collapsed: ReadonlySet<number>): Rows {
  const rows: Row[] = []
  const ofLane = new Int32Array(lanes.length).fill(-1)
  let top = 0
  const add = (height: number, row: Omit<Row, 'top' | 'height'>) => {
    rows.push({ ...row, top, height })
    top += height
  }
  hosts.forEach((_, host) => {
    const isCollapsed = collapsed.has(host)
    add(heights.host, { host, label: undefined, content: { kind: 'host', collapsed: isCollapsed } })
    if (isCollapsed) return
    counters.forEach(({ name, host: own }, counter) => {
      if (own !== host || !isOfLink(name)) return
      add(heights.counter, { host, label: name, content: { kind: 'counter', counter } })
      top += GAP
    })
    lanes.forEach(({ name, host: own }, lane) => {
      if (own !== host) return
      const isFirst = resourceOf(name) === name
      if (isFirst && rows[rows.length - 1].content.kind === 'lane' && !name.endsWith(', waiting')) top += GAP
      ofLane[lane] = rows.length
      add(heightOf(name), { host, label: isFirst ? name : undefined, content: { kind: 'lane', lane } })
    })
    top += GAP
  })
  return { rows, height: top, ofLane }
}

/** The row at a height, if there is one. */
export function rowAt({ rows }: Rows, y: number): Row | undefined {
  return rows.find(({ top, height }) => y >= top && y < top + height)
}

/** "compute (2)" is a lane of "compute". */
function resourceOf(name: string): string {
  return name.replace(/ \(\d+\)$/, '')
}

function heightOf(name: string): number {
  const resource = resourceOf(name)
  if (resource.endsWith(', waiting')) return heights.waiting
  return resource.startsWith('short ') ? heights.short : heights.lane
}

/** How many wait is to be seen from their lanes. */
function isOfLink(counter: string): boolean {
  return counter.startsWith('link ')
}
