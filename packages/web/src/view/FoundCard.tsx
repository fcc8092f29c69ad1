import { bytes, count, percent } from '@foretrain/predictor/text'
import { lastPrediction, measured, trace } from '../state.ts'
import { duration } from './written.ts'

/** What was found in the files, with the warnings. */
export function FoundCard() {
  const { found, name, tooLarge } = trace.value!
  const { steps, droppedSteps, operations, transfers, servers, pullBytes, pushBytes, stepMs, records, files, passedOver } = found
  const prediction = lastPrediction.value
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  const ignored = Object.entries(records.ignored)
  return (
    <section class="card found" aria-labelledby="found-title">
      <h2 id="found-title">
        <span class="file-name">{name}</span>
      </h2>
      <dl class="facts">
        <Fact
          name="steps"
          value={String(steps)}
          note={droppedSteps.length > 0 ? `${droppedSteps.length} dropped` : `of ${count(files.length, 'file')}`}
        />
        <Fact name="recorded step" value={duration(stepMs * 1000)} note="mean" />
        <Fact name="operations" value={operations.toLocaleString('en')} note={`${transfers.toLocaleString('en')} transfers`} />
        <Fact name="pulled a step" value={bytes(sum(pullBytes))} note={`from ${count(servers, 'server')}`} />
        <Fact name="pushed a step" value={bytes(sum(pushBytes))} note={`to ${count(servers, 'server')}`} />
        <Fact name="replay error" value={prediction ? percent(prediction.replay.meanAbsError) : '…'} note="of the traced worker" />
      </dl>
      {measured.value && (
        <p class="measured-note">
          <span class="key-measured" aria-hidden="true" /> measured: {measured.value.name},{' '}
          {count(measured.value.points.length, 'cluster size')}, {measured.value.bandwidth}, mode {measured.value.mode},{' '}
          {count(measured.value.servers, 'server')}
        </p>
      )}
      <Warnings />
      {(ignored.length > 0 || droppedSteps.length > 0 || passedOver.length + tooLarge.length > 0) && (
        <details class="more">
          <summary>
            {records.read.toLocaleString('en')} records: {records.used.toLocaleString('en')} used,{' '}
            {(records.read - records.used).toLocaleString('en')} ignored
          </summary>
          <ul>
            {ignored.map(([reason, number]) => (
              <li key={reason}>
                {number.toLocaleString('en')} × {reason}
              </li>
            ))}
            {droppedSteps.map(({ trace: file, reason }) => (
              <li key={file}>
                {file}: {reason}
              </li>
            ))}
            {passedOver.length > 0 && <li>{count(passedOver.length, 'other file')} that are no traces</li>}
            {tooLarge.length > 0 && <li>{count(tooLarge.length, 'file')} too large for a page</li>}
          </ul>
        </details>
      )}
    </section>
  )
}

function Fact({ name, value, note }: { name: string; value: string; note: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span class="value">{value}</span> <span class="note">{note}</span>
      </dd>
    </div>
  )
}

/** Of the profile and of what is asked. */
function Warnings() {
  const prediction = lastPrediction.value
  const warnings = prediction?.warnings ?? []
  return (
    <div class="warnings" data-testid="warnings" aria-live="polite">
      <h3>{prediction === undefined ? 'Warnings' : warnings.length === 0 ? 'No warnings' : count(warnings.length, 'warning')}</h3>
      <ul>
        {warnings.map(({ code, message }) => (
          <li key={code + message}>
            <code>{code}</code> {message}
          </li>
        ))}
      </ul>
    </div>
  )
}
