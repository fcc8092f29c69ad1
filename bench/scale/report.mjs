/** What bench/scale/run.mjs finds, and how docs/performance.md tells it. */
import { defaults } from '@foretrain/predictor'
import { formatNumber } from '../lib/format.mjs'
import { machineLine } from '../lib/machine.mjs'
import { median } from '../lib/statistics.mjs'
import { markdownTable, tabulate } from '../lib/table.mjs'
import { powerLaw } from './fit.mjs'

/**
 * One run in a process of its own.
 *
 * @typedef {import('../lib/simulateOnce.mjs').SimulatedOnce & { workers: number, steps: number, peakMB: number }} Run
 *
 * Medians of the runs of one size.
 *
 * @typedef {object} ScalePoint
 * @property {number} workers
 * @property {number} steps of all workers, in a run
 * @property {number} runs
 * @property {number} usPerStep cost of a worker-step: processor time over steps
 * @property {[number, number]} range its least and greatest
 * @property {number} eventsPerStep
 * @property {number} nsPerEvent
 * @property {number} memoryBytes of the core
 * @property {number} peakMB resident memory of the process, 10⁶ bytes
 * @property {number} eventsPerLatency events that happen within one latency of simulated time
 */

/** Steps of each worker in one replication of a prediction of many workers. */
const stepsOfReplication = defaults.warmUpSteps.value + defaults.measuredStepsPerWorker.value
/** The memory of a core grows by pages of 64 KiB: less than so many of them tell nothing of a worker. */
const leastDifferenceBytes = 5 * 65_536
/** Of those steps, what a saturated cluster would still need if its steady state were noticed: one to get there and one to see it. */
const stepsWithDetection = 2

/**
 * @param {readonly Run[]} runs of one size
 * @returns {ScalePoint}
 */
export function pointOf(runs) {
  const { workers, steps, events, timeUs, latencyUs } = runs[0]
  const costs = runs.map(({ cpuSeconds }) => (cpuSeconds / steps) * 1e6)
  const usPerStep = median(costs)
  return {
    workers,
    steps,
    runs: runs.length,
    usPerStep,
    range: [Math.min(...costs), Math.max(...costs)],
    eventsPerStep: events / steps,
    nsPerEvent: (usPerStep * 1000 * steps) / events,
    memoryBytes: median(runs.map(({ memoryBytes }) => memoryBytes)),
    peakMB: median(runs.map(({ peakMB }) => peakMB)),
    eventsPerLatency: (events / timeUs) * latencyUs
  }
}

/** @param {readonly ScalePoint[]} points */
export function fitOf(points) {
  return powerLaw(points.map(({ workers, usPerStep }) => [workers, usPerStep]))
}

/** @param {readonly ScalePoint[]} points */
export function scaleTable(points) {
  const [first] = points
  return [
    [
      'workers',
      'µs a worker-step',
      'range',
      'runs',
      'events a step',
      'ns an event',
      "core's memory (MB)",
      'bytes a worker',
      'peak (MB)'
    ],
    ...points.map(point => [
      point.workers.toLocaleString('en-US'),
      formatNumber(point.usPerStep),
      point.runs > 1 ? `${formatNumber(point.range[0])}–${formatNumber(point.range[1])}` : '',
      String(point.runs),
      formatNumber(point.eventsPerStep),
      formatNumber(point.nsPerEvent),
      formatNumber(point.memoryBytes / 1e6),
      point.memoryBytes - first.memoryBytes < leastDifferenceBytes ? '' : formatNumber(bytesPerWorker(first, point)),
      formatNumber(point.peakMB)
    ])
  ]
}

/**
 * Of each worker beyond the first, so that the job, which all share, does not count.
 *
 * @param {ScalePoint} alone
 * @param {ScalePoint} point
 */
function bytesPerWorker(alone, point) {
  return (point.memoryBytes - alone.memoryBytes) / (point.workers - alone.workers)
}

/**
 * The generated part of the page.
 *
 * @param {{ machine: Parameters<typeof machineLine>[0], points: readonly ScalePoint[], fit: { exponent: number, factor: number },
 *   queue?: import('../lib/results.mjs').Result }} found
 */
export function reportOf({ machine, points, fit, queue }) {
  return [
    '## Cost and memory by the number of workers',
    machineLine(machine),
    markdownTable(scaleTable(points)),
    '![Cost of a worker-step over the number of workers, with the fitted power law](performance/scale.svg)',
    growth(points, fit),
    '## What limits it, and what a next step would gain',
    limits(points, queue).join('\n\n'),
    ...(queue
      ? [
          '## Event queues',
          machineLine(queue.machine),
          markdownTable(tabulate(queue.rows)),
          queue.notes.map(note => `- ${note}`).join('\n')
        ]
      : [])
  ].join('\n\n')
}

/**
 * @param {readonly ScalePoint[]} points
 * @param {{ exponent: number }} fit
 */
function growth(points, fit) {
  const first = points[0]
  const last = points[points.length - 1]
  const least = points.reduce((a, b) => (b.usPerStep < a.usPerStep ? b : a))
  return [
    `- Fitted exponent of the cost of a worker-step over the number of workers: **${fit.exponent.toFixed(3)}** (least squares of the logarithms; 0 would be no growth, 1 a cost that grows with every worker for every worker). Ten times the workers make a worker-step ${formatNumber(10 ** fit.exponent)} times as dear.`,
    `- ${count(last)} workers against ${count(least)}: ${formatNumber(last.usPerStep / least.usPerStep)} times the cost of a worker-step. ${formatNumber(last.eventsPerStep / least.eventsPerStep)} of that are more events, ${formatNumber(last.nsPerEvent / least.nsPerEvent)} dearer ones.`,
    `- Memory: ${formatNumber(bytesPerWorker(first, last))} bytes of the core's memory for each worker; the process of ${count(last)} workers had at most ${formatNumber(last.peakMB)} MB resident.`
  ].join('\n')
}

/**
 * @param {readonly ScalePoint[]} points
 * @param {import('../lib/results.mjs').Result | undefined} queue
 */
function limits(points, queue) {
  const last = points[points.length - 1]
  const [least] = [...points].sort((a, b) => a.nsPerEvent - b.nsPerEvent)
  const large = points.find(({ workers }) => workers >= 10_000) ?? last
  const replicationSeconds = (large.workers * stepsOfReplication * large.usPerStep) / 1e6
  return [
    `**Memory traffic.** The state of ${count(last)} workers is ${formatNumber(last.memoryBytes / 1e6)} MB, that of ${count(least)} ${formatNumber(least.memoryBytes / 1e6)} MB. An event of the large cluster costs ${formatNumber(last.nsPerEvent - least.nsPerEvent)} ns more: the same work but for a few more levels of heaps, on cache lines that have to come from memory. Less state a worker is what would help, and is the next step that the figures speak for.`,
    `**Threads inside one simulation.** They would have to find events that cannot influence each other. Hosts influence each other after one latency at the earliest, and within one there are ${formatNumber(last.eventsPerLatency)} events in ${count(last)} workers: they wait for one server. So many could at best be taken side by side. Replications and points are independent; \`--jobs\` runs them in threads.`,
    `**Noticing the steady state.** A replication runs ${stepsOfReplication} steps of every worker; of ${count(large)} workers that is ${formatNumber(replicationSeconds)} s. Where a link is saturated the throughput should be settled after the first, so ${stepsWithDetection} might do: by this estimate up to ${formatNumber(stepsOfReplication / stepsWithDetection)} times less for clusters far beyond saturation, and nothing where chance decides, which is where predictions differ from the bound.`,
    simd(least, queue)
  ]
}

/**
 * @param {ScalePoint} point
 * @param {import('../lib/results.mjs').Result | undefined} queue
 */
function simd(point, queue) {
  const recorded = queue?.rows
    .filter(({ name, measure }) => name === '4-ary heap' && measure?.startsWith('recorded'))
    .map(row => row.median)
  const bound =
    recorded === undefined || recorded.length === 0
      ? ''
      : ` Its pop and push take ${formatNumber(Math.max(...recorded))} ns on recorded events, of ${formatNumber(point.nsPerEvent)} ns that an event takes in all: even a queue that cost nothing would leave ${formatNumber(100 - (100 * Math.max(...recorded)) / point.nsPerEvent)} % of the time.`
  return `**SIMD.** An event is a chain of dependent loads and branches about one worker; there is no loop over many equal numbers in it but the least of four children in the event heap, and in a saturated cluster that heap holds few events.${bound} SIMD would speed up a part of that part, and the JavaScript build could not follow.`
}

/** @param {ScalePoint} point */
function count({ workers }) {
  return workers.toLocaleString('en-US')
}
