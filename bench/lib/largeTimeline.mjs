/** Writes a timeline of TensorFlow that is larger than any string: one large step, with its memory and data flow drawn in (timeline.py's show_memory). */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'

const worker = '/job:worker/replica:0/task:0/cpu:0'
const server = '/job:ps/replica:0/task:0/cpu:0'
const startUs = 1.5e15
const batchBytes = 1 << 20

/** @param {object} event */
const line = event => JSON.stringify(event)

/**
 * An operation of a chain on the worker, each with a variable on the server: its events.
 *
 * @param {number} i
 */
function operation(i) {
  const [name, variable] = [`model/block_${i % 97}/layer_${i}/MatMul`, `model/layer_${i}/kernel`]
  const ran = (/** @type {number} */ pid, /** @type {number} */ ts, /** @type {number} */ dur, /** @type {object} */ args) => ({
    ...{ ph: 'X', cat: 'Op', name: 'Op', pid, tid: 0 },
    ts: startUs + ts,
    dur,
    args
  })
  const input = i === 0 ? {} : { input1: `model/block_${(i - 1) % 97}/layer_${i - 1}/MatMul` }
  return [
    ran(1, 10, 2, { name: variable, op: 'VariableV2' }),
    ran(1, 20 + i, 2, { name: `${variable}/read`, op: 'Identity', input0: variable }),
    ran(0, 30 + i, 60, { name: 'RecvTensor', op: 'RecvTensor' }),
    ran(0, 200 + 100 * i, 90, { name, op: 'MatMul', input0: `${variable}/read_S${2 * i + 1}`, ...input })
  ]
}

/**
 * What timeline.py draws beside the operations, so many events of it.
 *
 * @param {number} i
 */
function drawing(i) {
  const at = { pid: 3, tid: 0, ts: startUs + i }
  switch (i % 4) {
    case 0:
      return {
        ...{ ph: 'O', cat: 'Tensor', name: `model/layer_${i % 4999}/MatMul:0`, id: i, ...at },
        args: { snapshot: { tensor_description: 'dtype: DT_FLOAT shape { dim { size: 128 } dim { size: 512 } }' } }
      }
    case 1:
      return {
        ph: 'C',
        cat: 'Memory',
        name: 'cpu',
        pid: 4,
        ts: startUs + i,
        args: { 'cpu bytes': 4096 * (i % 1000), padding: 'x'.repeat(64) }
      }
    case 2:
      return { ph: 's', cat: 'DataFlow', name: `model/layer_${i % 4999}/MatMul`, id: i, ...at, args: { to: 'x'.repeat(32) } }
    default:
      return { ph: 't', cat: 'DataFlow', name: `model/layer_${i % 4999}/MatMul`, id: i, ...at, args: { from: 'x'.repeat(32) } }
  }
}

/**
 * @param {string} path
 * @param {{ operations: number, events: number }} size operations of the worker, each four events; events of all kinds
 */
export async function writeLargeTimeline(path, { operations, events }) {
  const out = createWriteStream(path)
  let batch = '{"traceEvents":[\n'
  const add = async (/** @type {string} */ text) => {
    batch += text
    if (batch.length < batchBytes) return
    if (!out.write(batch)) await once(out, 'drain')
    batch = ''
  }
  const names = [worker, server].map((device, pid) =>
    line({ ph: 'M', name: 'process_name', pid, args: { name: `${device} Compute` } })
  )
  await add(names.join(',\n'))
  let written = names.length
  for (let i = 0; i < operations; i++) {
    const own = operation(i)
    await add(own.map(event => `,\n${line(event)}`).join(''))
    written += own.length
  }
  for (; written < events; written++) await add(`,\n${line(drawing(written))}`)
  out.end(`${batch}\n]}\n`)
  await once(out, 'close')
}

/**
 * Sizes of its variables, for --sizes.
 *
 * @param {number} operations
 */
export function sizesOfLargeTimeline(operations) {
  const lines = Array.from({ length: operations }, (_, i) => `model/layer_${i}/kernel,${4096 + i}\n`)
  return `tensor,bytes\n${lines.join('')}`
}
