/** Events of the Trace Event Format as a test looks at them. */
export interface TraceEvent {
  name: string
  ph: string
  cat?: string
  ts: number
  dur: number
  pid: number
  tid: number
  id?: number
  bp?: string
  args: Record<string, unknown>
}

export interface TraceDocument {
  displayTimeUnit: string
  otherData: Record<string, unknown>
  traceEvents: TraceEvent[]
}

export async function collected(chunks: AsyncIterable<string>): Promise<TraceDocument> {
  let text = ''
  for await (const chunk of chunks) text += chunk
  return JSON.parse(text) as TraceDocument
}

const ns = (us: number) => Math.round(us * 1000)

/** "worker 0/pull from server 0" of an event. */
export function trackNames({ traceEvents }: TraceDocument): (event: TraceEvent) => string {
  const named = (what: string) =>
    new Map(
      traceEvents
        .filter(({ ph, name }) => ph === 'M' && name === what)
        .map(event => [what === 'process_name' ? `${event.pid}` : `${event.pid} ${event.tid}`, String(event.args.name)])
    )
  const processes = named('process_name')
  const threads = named('thread_name')
  return ({ pid, tid }) => `${processes.get(`${pid}`)}/${threads.get(`${pid} ${tid}`)}`
}

/**
 * What makes a viewer draw nonsense, one line a fault: unknown phases, tracks without a name, events out of order on their track, slices that
 * overlap, arrows without both ends or that do not lie within a slice.
 */
export function faultsOf(document: TraceDocument): string[] {
  const faults: string[] = []
  const tracks = new Map<string, TraceEvent[]>()
  const arrows = new Map<number, { s: TraceEvent[]; f: TraceEvent[] }>()
  const named = new Set<string>()
  const trackOf = trackNames(document)
  for (const event of document.traceEvents) {
    const { ph, pid, tid, name, id } = event
    if (!['M', 'X', 'C', 's', 'f'].includes(ph)) faults.push(`phase ${ph}`)
    if (ph === 'M') named.add(`${pid} ${tid}`)
    else if (ph === 'X') {
      if (!named.has(`${pid} ${tid}`)) faults.push(`${name} on a track that has no name yet`)
      const key = `${pid} ${tid}`
      tracks.set(key, [...(tracks.get(key) ?? []), event])
    } else if (ph === 's' || ph === 'f') {
      const ends = arrows.get(id!) ?? { s: [], f: [] }
      ends[ph].push(event)
      arrows.set(id!, ends)
      const slice = tracks.get(`${pid} ${tid}`)?.at(-1)
      if (slice === undefined || ns(slice.ts) > ns(event.ts) || ns(slice.ts + slice.dur) < ns(event.ts))
        faults.push(`arrow ${id} outside of every slice`)
    }
  }
  for (const slices of tracks.values()) {
    slices.forEach((slice, i) => {
      if (!(slice.dur >= 0)) faults.push(`${slice.name} lasts ${slice.dur}`)
      if (i > 0 && ns(slice.ts) < ns(slices[i - 1].ts) + ns(slices[i - 1].dur))
        faults.push(`${slice.name} begins within or before ${slices[i - 1].name} on ${trackOf(slice)}`)
    })
  }
  for (const [id, { s, f }] of arrows) {
    if (s.length !== 1 || f.length !== 1) faults.push(`arrow ${id} has ${s.length} begins and ${f.length} ends`)
    else if (s[0].ts > f[0].ts || s[0].name !== f[0].name || s[0].cat !== f[0].cat) faults.push(`arrow ${id} goes back in time`)
  }
  return faults
}
