import { freshProcess } from '../lib/freshProcess.mjs'
import { interleave } from '../lib/interleave.mjs'
import { command, resnet } from '../lib/paths.mjs'
import { rowOf } from '../lib/row.mjs'

export const title = 'the command from the shell'

const question = ['predict', `examples/${resnet}`, '--workers', '1-16', '--precision', '1%']
const barSeconds = 5
const barMB = 300

/** @param {{ quick: boolean }} options */
export async function run({ quick }) {
  const runs = await interleave(
    {
      empty: () => freshProcess(['--eval', '0']),
      help: () => freshProcess([command, '--help']),
      predict: () => freshProcess([command, ...question])
    },
    quick ? 1 : 5
  )
  const seconds = (/** @type {string} */ name) => runs[name].map(run => run.seconds)
  return {
    rows: [
      rowOf('empty process', 's', seconds('empty')),
      rowOf('`foretrain --help`', 's', seconds('help')),
      rowOf(`\`foretrain ${question.join(' ')}\``, 's', seconds('predict'), { bar: barSeconds }),
      rowOf(
        'its peak resident memory',
        'MB',
        runs.predict.map(run => run.peakMB),
        { bar: barMB }
      )
    ],
    notes: ['A fresh process each time, from its start to its end; MB = 10⁶ bytes.']
  }
}
