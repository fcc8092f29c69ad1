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

/** One lane of a resource. */
export interface Track {
  resource: Resource
  /** 1 …, unique in the timeline: some viewers tell threads by their number alone. */
  thread: number
  /** 1 …, among those of its resource. */
  lane: number
}

interface Lane {
  track: Track
  freeAtNs: number
}

export class Tracks {
  private readonly lanes = new Map<Resource, Lane[]>()
  private threads = 0

  /** @param announce is given each new track */
  constructor(private readonly announce: (track: Track) => void) {}

  /** A lane that is free from `startNs` to `endNs`; undefined when the resource may have no more of them. */
  place(resource: Resource, startNs: number, endNs: number): Track | undefined {
    const lanes = this.lanesOf(resource)
    const free = lanes.find(({ freeAtNs }) => freeAtNs <= startNs) ?? this.open(resource, lanes)
    if (free === undefined) return undefined
    free.freeAtNs = endNs
    return free.track
  }

  private lanesOf(resource: Resource): Lane[] {
    const known = this.lanes.get(resource)
    if (known !== undefined) return known
    const lanes: Lane[] = []
    this.lanes.set(resource, lanes)
    return lanes
  }

  private open(resource: Resource, lanes: Lane[]): Lane | undefined {
    if (lanes.length >= resource.mostLanes) return undefined
    const lane = { track: { resource, thread: ++this.threads, lane: lanes.length + 1 }, freeAtNs: 0 }
    lanes.push(lane)
    this.announce(lane.track)
    return lane
  }
}

/** What a viewer calls a track. */
export function trackName({ resource: { name }, lane }: Track): string {
  return lane === 1 ? name : `${name} (${lane})`
}
