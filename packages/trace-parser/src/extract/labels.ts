/** What `timeline_label` says (TensorFlow: worker_cache_logger.cc for transfers, step_stats_collector.cc for operations). */

import { PROFILE_LIMITS } from '../limits.ts'

export interface TransferLabel {
  /** Edge number of the sending graph; -1 when the tensor's name carries none. */
  edge: number
  /** Name without `edge_<n>_`. */
  tensor: string
  source: string
  destination: string
  /** Exact below 0.1 MiB, else rounded to 0.1 MiB. */
  bytes: number
  rounded: boolean
}

const MEBIBYTE = 1024 * 1024

// "[17.2MB] [8.4Gb/s] edge_26_v/read from SRC to DST"; TensorFlow 1.8 and older write no rate.
const TRANSFER = /^\[([\d.]+)(B|MB)\] (?:\[[\d.]+(?:Mb|Gb)\/s\] )?(.+) from (\/job:\S+) to (\/job:\S+)$/
const EDGE = /^edge_(\d{1,15})_(.+)$/s

/** Reads the label of a RecvTensor record; undefined when it is not of that form. */
export function parseTransferLabel(label: string): TransferLabel | undefined {
  const match = TRANSFER.exec(label)
  if (match === null) return undefined
  const rounded = match[2] === 'MB'
  const bytes = rounded ? Math.round(Number(match[1]) * MEBIBYTE) : Number(match[1])
  if (!(bytes <= PROFILE_LIMITS.bytes)) return undefined
  const { edge, tensor } = splitEdge(match[3])
  return { edge, tensor, source: match[4], destination: match[5], bytes, rounded }
}

/** `edge_26_v/read` → 26 and `v/read`. */
export function splitEdge(name: string): { edge: number; tensor: string } {
  const match = EDGE.exec(name)
  return match === null ? { edge: -1, tensor: name } : { edge: Number(match[1]), tensor: match[2] }
}

export interface OperationLabel {
  type: string
  /** As written: "a", "a:1", "^a". */
  inputs: string[]
}

/** Reads "[memory] name = Type(in1, in2, ^control)"; '' and no inputs when the label is not of that form. */
export function parseOperationLabel(name: string, label: string): OperationLabel {
  const mark = `${name} = `
  const at = label.startsWith(mark) ? 0 : label.indexOf(` ${mark}`) + 1
  if (at === 0 && !label.startsWith(mark)) return { type: '', inputs: [] }
  const open = label.indexOf('(', at + mark.length)
  if (open < 0 || !label.endsWith(')')) return { type: '', inputs: [] }
  const list = label.slice(open + 1, -1)
  return { type: label.slice(at + mark.length, open), inputs: list === '' ? [] : list.split(', ') }
}

/** Node name of an input: "a:1" → "a", "^a" → "a". */
export function inputNode(input: string): string {
  const name = input.startsWith('^') ? input.slice(1) : input
  const port = name.lastIndexOf(':')
  return port > 0 && /^\d+$/.test(name.slice(port + 1)) ? name.slice(0, port) : name
}
