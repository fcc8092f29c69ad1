/**
 * Where slices are drawn. Viewers draw a process a host and a thread a track; slices of one track must not overlap, so a resource has as many
 * tracks (lanes) as it does things at once.
 *
 * A timeline is drawn in the order of time: `place` is called with ascending starts.
 */

/** Something of a host that has tracks of its own. */
export interface Resource {
  /** 1 …: the host. */
  process: number
  /** Name of its first track; further ones get a number. */
  name: string
  /** Orders the resources of a host. */
  rank: number
  /** Slices for which more tracks than this would be needed are not drawn. */
  mostLanes: number
}

interface Lane {
  thread: number
  freeAtNs: number
}

/** Room between the sort indices of two resources. */
const LANES_A_RANK = 10_000

export class Tracks {
  private readonly lanes = new Map<Resource, Lane[]>()
  private threads = 0

  /** @param announce is given the metadata event of each new track */
  constructor(private readonly announce: (event: string) => void) {}

  /** The thread of a free lane from `startNs` to `endNs`; undefined when the resource may have no more lanes. */
  place(resource: Resource, startNs: number, endNs: number): number | undefined {
    const lanes = this.lanesOf(resource)
    const free = lanes.find(({ freeAtNs }) => freeAtNs <= startNs) ?? this.open(resource, lanes)
    if (free === undefined) return undefined
    free.freeAtNs = endNs
    return free.thread
  }

  private lanesOf(resource: Resource): Lane[] {
    const known = this.lanes.get(resource)
    if (known !== undefined) return known
    const lanes: Lane[] = []
    this.lanes.set(resource, lanes)
    return lanes
  }

  private open({ process, name, rank, mostLanes }: Resource, lanes: Lane[]): Lane | undefined {
    if (lanes.length >= mostLanes) return undefined
    // Unique in the whole file: some viewers tell threads by their number alone.
    const lane = { thread: ++this.threads, freeAtNs: 0 }
    lanes.push(lane)
    const shown = lanes.length === 1 ? name : `${name} (${lanes.length})`
    this.announce(metadata('thread_name', process, lane.thread, { name: shown }))
    this.announce(metadata('thread_sort_index', process, lane.thread, { sort_index: rank * LANES_A_RANK + lanes.length }))
    return lane
  }
}

/** The two metadata events of a host. */
export function processEvents(process: number, name: string): string[] {
  return [metadata('process_name', process, 0, { name }), metadata('process_sort_index', process, 0, { sort_index: process })]
}

function metadata(name: string, pid: number, tid: number, args: Record<string, string | number>): string {
  return JSON.stringify({ name, ph: 'M', pid, tid, args })
}
