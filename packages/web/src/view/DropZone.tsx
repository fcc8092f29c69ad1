import { useEffect, useState } from 'preact/hooks'
import { open, openExample } from '../actions/open.ts'
import { fromDrop, fromFileList } from '../files.ts'
import { reading, trace } from '../state.ts'

/** Where traces come in: dropped anywhere on the page, chosen as files or as a folder, or the example. */
export function DropZone() {
  const over = useDrop()
  const busy = reading.value
  const choose = (event: Event) => {
    const input = event.currentTarget as HTMLInputElement
    const { files } = input
    if (files !== null && files.length > 0) {
      // The list empties with the field, which is emptied so that the same files can be chosen again.
      const given = fromFileList(files)
      void open(() => given)
    }
    input.value = ''
  }
  return (
    <section class={`drop${over ? ' over' : ''}${trace.value ? ' small' : ''}`} aria-label="Traces" aria-busy={busy !== undefined}>
      {trace.value === undefined && (
        <>
          <h2>Drop the trace of one worker</h2>
          <p>
            <code>RunMetadata</code> files of one TensorFlow worker (<code>*.pb</code>, <code>*.pb.gz</code>), a saved profile, or a
            whole folder. Twenty steps are enough. A <code>case.json</code> dropped with them shows what was measured.
          </p>
        </>
      )}
      <div class="drop-actions">
        <label class="button primary">
          <input class="visually-hidden" type="file" multiple data-testid="drop-input" onChange={choose} />
          {trace.value ? 'Open other files' : 'Choose files'}
        </label>
        <label class="button">
          <input
            class="visually-hidden"
            type="file"
            data-testid="folder-input"
            onChange={choose}
            ref={input => input?.setAttribute('webkitdirectory', '')}
          />
          {trace.value ? 'Open a folder' : 'Choose a folder'}
        </label>
        <button class="button" type="button" data-testid="example" onClick={() => void openExample()}>
          Try an example
        </button>
        <span class="drop-state">
          {busy ? `Reading ${busy.done + 1} of ${busy.total} files …` : trace.value ? 'or drop them anywhere' : ''}
        </span>
      </div>
      {over && <div class="drop-veil">Drop to predict</div>}
    </section>
  )
}

/** Takes files dropped anywhere on the page; true while some are held over it. */
function useDrop(): boolean {
  const [over, setOver] = useState(false)
  useEffect(() => {
    // Entering a child comes before leaving its parent.
    let depth = 0
    const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    const enter = (event: DragEvent) => {
      if (!holdsFiles(event)) return
      depth += 1
      setOver(true)
    }
    const leave = () => {
      depth = Math.max(0, depth - 1)
      if (depth === 0) setOver(false)
    }
    const hover = (event: DragEvent) => {
      if (holdsFiles(event)) event.preventDefault()
    }
    const drop = (event: DragEvent) => {
      depth = 0
      setOver(false)
      if (!holdsFiles(event) || event.dataTransfer === null) return
      event.preventDefault()
      const given = fromDrop(event.dataTransfer)
      void open(() => given)
    }
    const listeners = { dragenter: enter, dragleave: leave, dragover: hover, drop } as const
    for (const [name, listener] of Object.entries(listeners)) document.addEventListener(name, listener as EventListener)
    return () => {
      for (const [name, listener] of Object.entries(listeners)) document.removeEventListener(name, listener as EventListener)
    }
  }, [])
  return over
}
