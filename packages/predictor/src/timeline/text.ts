import type { Profile } from '@foretrain/trace-parser'
import { Drawing } from './draw.ts'
import { play, type Run } from './play.ts'
import { processEvents } from './tracks.ts'
import { EventWriter } from './write.ts'

const CHUNK_CHARACTERS = 1 << 16

/**
 * The document of a run, piece by piece. What describes it stands in front of the events, so that a reader knows how to take them.
 *
 * @param profile of which `run.job` has every operation
 * @param about becomes `otherData`
 */
export async function* timelineText(profile: Profile, run: Run, about: object): AsyncGenerator<string> {
  const { job, cluster, traced } = run
  const writer = new EventWriter()
  const drawing = new Drawing(profile, job, cluster)
  let pending = `{"displayTimeUnit":"ms","otherData":${JSON.stringify(about)},"traceEvents":[\n`
  let separator = ''
  const take = (events: readonly string[]) => {
    for (const event of events) {
      pending += separator + event
      separator = ',\n'
    }
  }
  const workers = cluster.workers.length
  for (const worker of traced) take(processEvents(worker + 1, `worker ${worker}`))
  cluster.servers.forEach((_, server) => {
    take(processEvents(workers + server + 1, `server ${server}`))
  })
  for await (const { steps, settledUs } of play(run)) {
    for (const step of steps) writer.add(drawing.step(step))
    take(writer.flush(Math.floor(settledUs * 1000)))
    if (pending.length < CHUNK_CHARACTERS) continue
    yield pending
    pending = ''
  }
  yield `${pending}\n]}\n`
}
