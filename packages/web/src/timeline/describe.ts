import type { SliceKind } from '@foretrain/predictor'
import { endUs, kindOf, laneOf, type Slices } from './slices.ts'
import { placeText, sizeText, timeText } from './units.ts'

/** What is said of a slice, wherever it is said. Text from a trace: to be shown as text. */
export interface Description {
  /** Of the operation, or of the step. */
  name: string
  /** "pull", "compute". */
  kind: string
  /** Operation type, "Conv2D"; '' for what has none. */
  type: string
  /** Where: "server 0 → worker 3". */
  place: string
  /** The connection or the resource: "pull from server 0". */
  lane: string
  /** Since the begin of the timeline. */
  begins: string
  ends: string
  takes: string
  /** '' for what is no transfer. */
  bytes: string
  /** What the operation waited before; '' for nothing. */
  waited: string
}

/** In words, for a legend and for rows of a table. */
export const kindNames: Readonly<Record<SliceKind, string>> = {
  step: 'step',
  compute: 'compute',
  update: 'update',
  pull: 'pull on the wire',
  push: 'push on the wire',
  parse: 'parse',
  gap: 'recorded gap',
  wait: 'wait'
}

export function describe(slices: Slices, slice: number): Description {
  const { operation, step, steps, operations, lanes, hosts, startUs, durationUs, bytes, waitedUs, span } = slices
  const id = operation[slice]
  const kind = kindOf(slices, slice)
  const lane = lanes[laneOf(slices, slice)]
  const worker = `worker ${steps.worker[step[slice]]}`
  const host = hosts[lane.host].name
  const server = id < 0 ? '' : `server ${operations.server[id]}`
  const ofStep = `step ${steps.ordinal[step[slice]]}`
  const place = { pull: `${server} → ${worker}`, push: `${worker} → ${server}` }[kind as string]
  return {
    name: id < 0 ? ofStep : operations.name[id],
    kind: kindNames[kind],
    type: id < 0 ? '' : operations.type[id],
    place: place ?? (host === worker || id < 0 ? `${host}, ${ofStep}` : `${host}, for ${worker}`),
    lane: lane.name,
    begins: placeText(startUs[slice] - span.fromUs, RESOLUTION_US),
    ends: placeText(endUs(slices, slice) - span.fromUs, RESOLUTION_US),
    takes: timeText(durationUs[slice]),
    bytes: bytes[slice] > 0 ? sizeText(bytes[slice]) : '',
    waited: waitedUs[slice] > 0 ? timeText(waitedUs[slice]) : ''
  }
}

/** Of places in time in words. */
const RESOLUTION_US = 1

/** The description in one line, for a screen reader. */
export function sentence({ name, kind, type, place, begins, takes, bytes, waited }: Description): string {
  const parts = [kind, type, place, bytes, `begins at ${begins}`, `takes ${takes}`, waited && `after waiting ${waited}`]
  return `${name}: ${parts.filter(part => part !== '').join(', ')}`
}
