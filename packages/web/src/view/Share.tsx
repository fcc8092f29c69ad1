import { useRef, useState } from 'preact/hooks'
import { linkOf } from '../actions/link.ts'
import { commandLineOf } from '../share/commandLine.ts'
import { curve, settings, trace } from '../state.ts'

/** The same prediction elsewhere: in a terminal, or on another's page. */
export function Share() {
  const shown = curve.value?.settings ?? settings.value
  return (
    <section class="card" aria-labelledby="share-title">
      <h2 id="share-title">Take it along</h2>
      <h3>The same numbers from the command line</h3>
      <Copyable text={commandLineOf(shown, trace.value?.path)} what="command" />
      <h3>A link with these settings</h3>
      <p class="explain">Settings alone: whoever opens it drops a trace of their own.</p>
      <Copyable text={linkOf(shown)} what="link" />
    </section>
  )
}

const shownMs = 2_000

function Copyable({ text, what }: { text: string; what: 'command' | 'link' }) {
  const field = useRef<HTMLInputElement>(null)
  const [said, say] = useState('')
  const copy = async () => {
    field.current?.select()
    say((await toClipboard(text)) ? 'copied' : 'press Ctrl+C')
    setTimeout(() => say(''), shownMs)
  }
  return (
    <div class="copyable">
      <input ref={field} readOnly aria-label={what} data-testid={what} value={text} onFocus={() => field.current?.select()} />
      <button type="button" class="button" onClick={() => void copy()}>
        Copy {what}
      </button>
      <span class="copied" role="status">
        {said}
      </span>
    </div>
  )
}

/** False where the browser has none to give, or does not allow it: the text is selected at least. */
async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
