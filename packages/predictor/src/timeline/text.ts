import type { Profile } from '@foretrain/trace-parser'
import { arranged } from './arranged.ts'
import { EventText } from './events.ts'
import { hostsOf } from './hosts.ts'
import type { Run } from './play.ts'

const CHUNK_CHARACTERS = 1 << 16

/**
 * The document of a run, piece by piece. What describes it stands in front of the events, so that a reader knows how to take them.
 *
 * @param profile of which `run.job` has every operation
 * @param about becomes `otherData`
 */
export async function* timelineText(profile: Profile, run: Run, about: object): AsyncGenerator<string> {
  const events = new EventText(profile)
  let pending = `{"displayTimeUnit":"ms","otherData":${JSON.stringify(about)},"traceEvents":[\n`
  let separator = ''
  const take = () => {
    for (const event of events.take()) {
      pending += separator + event
      separator = ',\n'
    }
  }
  for (const { process, name } of hostsOf(run)) events.host(process, name)
  take()
  for await (const _ of arranged(profile, run, events)) {
    take()
    if (pending.length < CHUNK_CHARACTERS) continue
    yield pending
    pending = ''
  }
  yield `${pending}\n]}\n`
}
