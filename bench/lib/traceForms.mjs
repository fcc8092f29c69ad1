/** The steps of a trace in the other forms that TensorFlow writes. */
import { Event } from './tensorflowSchema.mjs'
import { joinRecords } from './tfRecords.mjs'

/**
 * A record of a step, as decoded.
 *
 * @typedef {object} NodeStats
 * @property {string} node_name
 * @property {string} [timeline_label]
 * @property {number} all_start_micros
 * @property {number} all_end_rel_micros
 * @property {Array<{ tensor_description?: { allocation_description?: { requested_bytes: number } } }>} [output]
 */

/** @typedef {{ dev_stats: Array<{ device: string, node_stats: NodeStats[] }> }} StepStats */

/**
 * A message in protobuf's text format.
 *
 * @param {Record<string, unknown>} message
 * @param {string} [indent]
 * @returns {string}
 */
export function asText(message, indent = '') {
  let text = ''
  for (const [field, value] of Object.entries(message)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one instanceof Uint8Array) text += `${indent}${field}: ${JSON.stringify(Buffer.from(one).toString('latin1'))}\n`
      else if (typeof one === 'object' && one !== null) text += `${indent}${field} {\n${asText(one, `${indent}  `)}${indent}}\n`
      else text += `${indent}${field}: ${JSON.stringify(one)}\n`
    }
  }
  return text
}

/**
 * What timeline.py makes of a step: one event an operation, its inputs as arguments; of transfers only the times.
 *
 * @param {StepStats} stepStats
 */
export function asTimeline({ dev_stats }) {
  /** @type {object[]} */
  const events = []
  dev_stats.forEach(({ device, node_stats }, pid) => {
    events.push({ name: 'process_name', ph: 'M', pid, args: { name: `${device} Compute` } })
    for (const { node_name: name, timeline_label = '', all_start_micros: ts, all_end_rel_micros: dur } of node_stats) {
      const [, op = name, inputs = ''] = /^.* = (\w+)\((.*)\)$/.exec(timeline_label) ?? []
      /** @type {Record<string, string>} */
      const args = { name, op }
      for (const [i, input] of inputs.split(', ').entries()) if (input !== '') args[`input${i}`] = input
      events.push({ cat: 'Op', ph: 'X', name: op, pid, tid: 0, ts, dur, args })
    }
  })
  return JSON.stringify({ traceEvents: events })
}

/**
 * Bytes of the tensors that a step transfers, by name.
 *
 * @param {StepStats} stepStats
 */
export function sizesOf({ dev_stats }) {
  /** @type {Map<string, number>} */
  const sizes = new Map()
  for (const { node_stats } of dev_stats) {
    for (const { node_name, timeline_label = '', output } of node_stats) {
      const tensor = /edge_\d+_(\S+) from /.exec(timeline_label)?.[1]
      const bytes = output?.[0]?.tensor_description?.allocation_description?.requested_bytes
      if (node_name === 'RecvTensor' && tensor !== undefined && bytes !== undefined) sizes.set(tensor, bytes)
    }
  }
  return sizes
}

/**
 * A TensorBoard event file with these steps.
 *
 * @param {ReadonlyArray<Record<string, unknown>>} runMetadata
 */
export function asEventFile(runMetadata) {
  const version = { wall_time: 1.5e9, file_version: 'brain.Event:2' }
  const tagged = runMetadata.map((run_metadata, step) => ({
    ...{ wall_time: 1.5e9, step },
    tagged_run_metadata: { tag: `step${step}`, run_metadata }
  }))
  return joinRecords([version, ...tagged].map(event => Event.encode(event).finish()))
}
