import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { OperationKind } from '@foretrain/core-wasm'
import { main as compile } from 'assemblyscript/asc'
import { benchFolder } from './paths.mjs'

/** The queues of bench/queues, by the name of their files. */
export const queueTitles = {
  binaryHeap: 'binary heap',
  quaternaryHeap: '4-ary heap',
  pairingHeap: 'pairing heap',
  calendarQueue: 'calendar queue',
  ladderQueue: 'ladder queue'
}

/** @typedef {keyof typeof queueTitles} QueueName */

/**
 * bench/queues/harness.ts around one queue.
 *
 * @typedef {object} QueueModule
 * @property {WebAssembly.Memory} memory
 * @property {{ value: number }} POPPED
 * @property {{ value: number }} DATA
 * @property {{ value: number }} RECORD_POPS
 * @property {{ value: number }} RECORD_BYTES
 * @property {(from: number, capacity: number) => void} clear
 * @property {(time: number, classWorker: number, operation: number) => void} push
 * @property {(into: number) => void} pop
 * @property {(size: number, first: number, count: number) => number} hold
 * @property {(count: number) => number} replay
 */

/**
 * Compiles a queue with the options of the core.
 *
 * @param {QueueName} name
 * @returns {Promise<WebAssembly.Module>}
 * @throws with the compiler's messages
 */
export async function compileQueue(name) {
  /** @type {Uint8Array | undefined} */
  let binary
  const { error, stderr } = await compile(
    ['harness.ts', '-O3', '--runtime', 'stub', '--noAssert', '--converge', '--outFile', 'queue.wasm'],
    {
      readFile: path => sourceOf(path === 'queue.ts' ? `${name}.ts` : path),
      writeFile: (path, content) => {
        if (path === 'queue.wasm' && typeof content !== 'string') binary = content
      },
      listFiles: () => []
    }
  )
  if (error || binary === undefined) throw new Error(`bench/queues/${name}.ts: ${stripVTControlCharacters(stderr.toString())}`)
  return WebAssembly.compile(Uint8Array.from(binary))
}

/**
 * "core/" stands for the sources of the core. The compiler also asks for files that are not there, and takes null for an answer.
 *
 * @param {string} path
 */
function sourceOf(path) {
  const ofCore = path.startsWith('core/')
  const folder = ofCore ? join(benchFolder, '../packages/core-wasm/assembly') : join(benchFolder, 'queues')
  try {
    return readFileSync(join(folder, ofCore ? path.slice('core/'.length) : path), 'utf8')
  } catch {
    return null
  }
}

/**
 * An empty queue of its own memory, behind `dataBytes` bytes of data.
 *
 * @param {WebAssembly.Module} compiled
 * @param {number} capacity most events at once
 * @param {number} dataBytes
 * @returns {Promise<QueueModule>}
 */
export async function newQueue(compiled, capacity, dataBytes) {
  const instance = await WebAssembly.instantiate(compiled)
  const queue = /** @type {QueueModule} */ (/** @type {unknown} */ (instance.exports))
  const from = queue.DATA.value + dataBytes
  const missing = from - queue.memory.buffer.byteLength
  if (missing > 0) queue.memory.grow(Math.ceil(missing / 65536))
  queue.clear(from, capacity)
  return queue
}

/**
 * An event of a simulation: pushed when the operation that it ends gets its slot, popped when it is due.
 *
 * @typedef {{ pushedUs: number, dueUs: number, classWorker: number, operation: number }} RecordedEvent
 */

/**
 * Writes a recorded sequence for replay().
 *
 * @param {QueueModule} queue
 * @param {readonly { event: RecordedEvent, pops: number }[]} sequence
 */
export function writeSequence(queue, sequence) {
  const view = new DataView(queue.memory.buffer)
  sequence.forEach(({ event, pops }, i) => {
    const at = queue.DATA.value + i * queue.RECORD_BYTES.value
    view.setFloat64(at, event.dueUs, true)
    view.setInt32(at + 8, event.classWorker, true)
    view.setInt32(at + 12, event.operation, true)
    view.setInt32(at + queue.RECORD_POPS.value, pops, true)
  })
}

/**
 * The order in which a simulation pushes and pops events: one that is due is popped before another is pushed.
 *
 * @param {readonly RecordedEvent[]} events
 * @returns {{ sequence: Array<{ event: RecordedEvent, pops: number }>, mean: number, most: number }} each event with the number of those
 *   popped before it is pushed; events in the queue, at the pushes
 */
export function sequenceOf(events) {
  const pushes = [...events].sort((a, b) => a.pushedUs - b.pushedUs || a.dueUs - b.dueUs)
  const dues = Float64Array.from(events, event => event.dueUs).sort()
  let popped = 0
  let sum = 0
  let most = 0
  const sequence = pushes.map((event, pushed) => {
    const before = popped
    // Of what was pushed, at most all can be popped.
    while (popped < pushed && dues[popped] <= event.pushedUs) popped++
    const size = pushed + 1 - popped
    sum += size
    most = Math.max(most, size)
    return { event, pops: popped - before }
  })
  return { sequence, mean: sum / pushes.length, most }
}

/** Class of the events at which steps begin, after those of operations: their place in the order. */
const stepClass = 5 << 27

/**
 * The events of a simulation, from its log of all workers: the end of each operation and the begin of each completed step. Of a transfer that is
 * the end of its parsing, known when its last byte is sent; ends of turns on links move with the load and are in no such queue.
 *
 * @param {readonly import('@foretrain/core-wasm').LogEntry[]} log
 * @param {import('@foretrain/core-wasm').StepRecords} records
 * @param {Uint8Array} kind of each operation
 * @returns {RecordedEvent[]}
 */
export function recordedEvents(log, records, kind) {
  const ends = log.map(({ worker, operation, readyUs, wireEndUs, endUs }) => {
    const isTransfer = kind[operation] === OperationKind.pull || kind[operation] === OperationKind.push
    return { pushedUs: isTransfer ? wireEndUs : readyUs, dueUs: endUs, classWorker: worker, operation }
  })
  /** @type {Map<number, number>} */
  const lastEndUs = new Map()
  const begins = Array.from(records.worker, (worker, i) => {
    const pushedUs = lastEndUs.get(worker) ?? 0
    lastEndUs.set(worker, records.endUs[i])
    return { pushedUs, dueUs: records.startUs[i], classWorker: stepClass | worker, operation: 0 }
  })
  return [...ends, ...begins]
}
