import { clearProblem } from '../actions/problems.ts'
import { problem, reading, trace } from '../state.ts'
import { Bottleneck } from './Bottleneck.tsx'
import { Details } from './Details.tsx'
import { DropZone } from './DropZone.tsx'
import { FoundCard } from './FoundCard.tsx'
import { Policies } from './Policies.tsx'
import { SettingsPanel } from './SettingsPanel.tsx'
import { Share } from './Share.tsx'
import { Throughput } from './Throughput.tsx'
import { Timeline } from './Timeline.tsx'
import { Welcome } from './Welcome.tsx'

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
        <Problem isOver={opened} />
        {!opened && <Welcome />}
        {opened && (
          <div class="board">
            <SettingsPanel />
            <div class="results" id="results" tabIndex={-1}>
              <FoundCard />
              <Throughput />
              <Bottleneck />
              <Details />
              <Policies />
              <Timeline />
              <Share />
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

/**
 * What went wrong, one line; its place is always there, for screen readers to listen to.
 *
 * @param isOver laid over the results, so that they stay where they are
 */
function Problem({ isOver }: { isOver: boolean }) {
  const message = problem.value
  return (
    <div role="alert" class={isOver ? 'problem-place over' : 'problem-place'}>
      {message !== undefined && (
        <div class="problem">
          <p id="problem" data-testid="error">
            {message}
          </p>
          <button type="button" class="problem-close" aria-label="Dismiss" onClick={clearProblem}>
            ×
          </button>
        </div>
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
