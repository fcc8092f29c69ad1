import { count, significant } from '@foretrain/predictor/text'
import { compareNow } from '../actions.ts'
import { Bars } from '../charts/Bars.tsx'
import { comparing, comparison, shownPoint } from '../state.ts'
import { TableTwin } from './TableTwin.tsx'

/** Orders of the transfers side by side, on demand: many paired runs. */
export function Policies() {
  const workers = shownPoint.value?.point.workers
  const result = comparison.value
  const progress = comparing.value
  return (
    <section class="card" aria-labelledby="policies-title" aria-busy={progress !== undefined} data-testid="policies">
      <div class="card-head">
        <h2 id="policies-title">Policies side by side</h2>
        <p class="state" role="status">
          {progress ? `comparing: ${progress.done} of at most ${progress.total} replications` : ''}
        </p>
      </div>
      <p class="explain">
        The order in which tensors are sent, simulated on common random numbers, so that small gains are told from noise. Gains are
        over the recorded order.
      </p>
      <button
        type="button"
        class="button"
        data-testid="compare"
        disabled={workers === undefined || progress !== undefined}
        onClick={() => workers !== undefined && compareNow(workers)}
      >
        Compare with {workers === undefined ? '…' : count(workers, 'worker')}
      </button>
      {result && (
        <>
          <Bars
            label={`Gain of each policy over ${result.reference} with ${result.workers} workers`}
            names={80}
            bars={result.policies.map(({ policy, gain, told }) => ({
              name: policy,
              value: gain.mean,
              interval: gain.ci95,
              strong: told,
              text: policy === result.reference ? 'reference' : `${signed(gain.mean)} %${told ? '' : ', not told from 0'}`
            }))}
          />
          <TableTwin
            caption={`Policies with ${result.workers} workers`}
            head={['policy', 'steps/s', 'gain', '95 % interval']}
            rows={result.policies.map(({ policy, stepsPerSecond, gain }) => [
              policy,
              significant(stepsPerSecond.mean),
              `${signed(gain.mean)} %`,
              `${signed(gain.ci95[0])} % to ${signed(gain.ci95[1])} %`
            ])}
          />
          <p class="explain">
            {count(result.workers, 'worker')}, {result.replications} replications of each policy.
          </p>
        </>
      )}
    </section>
  )
}

function signed(share: number): string {
  return `${share < 0 ? '−' : '+'}${Math.abs(share * 100).toFixed(1)}`
}
