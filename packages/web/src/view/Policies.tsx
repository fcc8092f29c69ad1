import { count, renderJson, significant } from '@foretrain/predictor/text'
import { compareNow } from '../actions/compare.ts'
import { Bars } from '../charts/Bars.tsx'
import { comparing, comparison, shownPoint } from '../state.ts'
import { ChartBlock } from './ChartBlock.tsx'
import { signedPercent } from './written.ts'

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
        class="button quiet"
        data-testid="compare"
        disabled={workers === undefined || progress !== undefined}
        onClick={() => workers !== undefined && compareNow(workers)}
      >
        Compare with {workers === undefined ? '…' : count(workers, 'worker')}
      </button>
      {result && (
        <ChartBlock
          name={`policies with ${count(result.workers, 'worker')}`}
          caption={`Policies with ${count(result.workers, 'worker')}`}
          columns={[
            { title: 'policy', key: 'policy', value: ({ policy }) => policy },
            {
              title: 'steps/s',
              key: 'steps_per_second',
              value: ({ stepsPerSecond }) => stepsPerSecond.mean,
              text: ({ stepsPerSecond }) => significant(stepsPerSecond.mean)
            },
            { title: 'gain', key: 'gain', value: ({ gain }) => gain.mean, text: ({ gain }) => signedPercent(gain.mean) },
            {
              title: 'from',
              key: 'gain_ci95_low',
              value: ({ gain }) => gain.ci95[0],
              text: ({ gain }) => signedPercent(gain.ci95[0])
            },
            {
              title: 'to',
              key: 'gain_ci95_high',
              value: ({ gain }) => gain.ci95[1],
              text: ({ gain }) => signedPercent(gain.ci95[1])
            }
          ]}
          rows={result.policies}
          json={() => renderJson(result)}
        >
          <Bars
            label={`Gain of each policy over ${result.reference} with ${count(result.workers, 'worker')}`}
            names={80}
            bars={result.policies.map(({ policy, gain, told }) => ({
              name: policy,
              value: gain.mean,
              interval: gain.ci95,
              strong: told,
              text: policy === result.reference ? 'reference' : `${signedPercent(gain.mean)}${told ? '' : ', not told from 0'}`
            }))}
          />
          <p class="explain">
            {count(result.workers, 'worker')}, {result.replications} replications of each policy.
          </p>
        </ChartBlock>
      )}
    </section>
  )
}
