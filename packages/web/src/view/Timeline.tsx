import { count } from '@foretrain/predictor/text'
import { useEffect, useRef } from 'preact/hooks'
import { fail } from '../actions/problems.ts'
import { timelineFile } from '../actions/timeline.ts'
import { download, fileName } from '../share/download.ts'
import { drawing, shownSize, timelineView, trace } from '../state.ts'
import { type MountedTimeline, mountTimeline } from '../timeline/mount.ts'

/** A few simulated steps of the cluster that is looked at, as they ran. */
export function Timeline() {
  const host = useTimeline()
  const view = timelineView.value
  const workers = view?.question.workers[0] ?? shownSize.value
  return (
    <section class="card" aria-labelledby="timeline-title" aria-busy={drawing.value} data-testid="timeline">
      <div class="card-head">
        <h2 id="timeline-title">Timeline</h2>
        <p class="state" role="status">
          {drawing.value ? 'simulating a few steps …' : view ? `${count(view.question.workers[0], 'worker')}, a few steps` : ''}
        </p>
      </div>
      <p class="explain">
        What every worker, link and server does, operation by operation, in a simulated run with{' '}
        {workers === undefined ? '…' : count(workers, 'worker')}.
      </p>
      <div class="timeline-room" ref={host} />
    </section>
  )
}

function useTimeline() {
  const host = useRef<HTMLDivElement>(null)
  const mounted = useRef<MountedTimeline | undefined>(undefined)
  const columns = timelineView.value?.columns
  useEffect(() => {
    if (columns === undefined) {
      mounted.current?.destroy()
      mounted.current = undefined
    } else if (mounted.current) mounted.current.update(columns)
    else mounted.current = mountTimeline(host.current!, columns, { onSave: keep, onExport: save })
  }, [columns])
  useEffect(() => () => mounted.current?.destroy(), [])
  return host
}

async function keep(kind: 'csv' | 'png', content: Promise<Blob>): Promise<void> {
  try {
    download(fileName([trace.value?.name ?? '', 'timeline'], kind), await content)
  } catch (error) {
    fail(error)
  }
}

async function save(): Promise<void> {
  const blob = await timelineFile()
  if (blob !== undefined) download(fileName([trace.value?.name ?? '', 'timeline'], 'json'), blob)
}
