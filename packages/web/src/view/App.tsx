import { problem, reading, trace } from '../state.ts'
import { Bottleneck } from './Bottleneck.tsx'
import { Details } from './Details.tsx'
import { DropZone } from './DropZone.tsx'
import { FoundCard } from './FoundCard.tsx'
import { Policies } from './Policies.tsx'
import { SettingsPanel } from './SettingsPanel.tsx'
import { Throughput } from './Throughput.tsx'

export function App() {
  const opened = trace.value !== undefined
  return (
    <>
      <a class="skip" href="#results">
        Skip to the results
      </a>
      <header class="top">
        <h1 class="brand">
          <Mark /> foretrain
        </h1>
        <p class="promise">How fast on N workers? Predicted here, in this browser: files never leave this machine.</p>
      </header>
      <main class={opened ? 'opened' : 'empty'}>
        <DropZone />
        <Problem />
        {opened && (
          <div class="board">
            <SettingsPanel />
            <div class="results" id="results" tabIndex={-1}>
              <FoundCard />
              <Throughput />
              <Bottleneck />
              <Details />
              <Policies />
            </div>
          </div>
        )}
      </main>
      <p class="visually-hidden" role="status">
        {reading.value ? `Reading ${reading.value.total} files` : ''}
      </p>
    </>
  )
}

/** What went wrong, one line; its place is kept free for screen readers to listen to. */
function Problem() {
  const current = problem.value
  return (
    <div role="alert" class="problem-place">
      {current && (
        <p class="problem" data-testid="error">
          {current.message}
        </p>
      )}
    </div>
  )
}

function Mark() {
  return (
    <svg class="logo" viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <path d="M6 25C9 12 15 8 26 7" />
      <circle cx="26" cy="7" r="3" />
    </svg>
  )
}
