import { bursts, delays, mostServers, mostWorkers, rates } from '../checks.ts'
import { modeNames, modePattern } from '../mode.ts'
import type { Case, Link, Measurement, Mode } from '../schema.ts'
import { CaseError, document, Field } from './field.ts'

const bitsPerSecond: Record<string, number> = { bps: 1, kbps: 1e3, Mbps: 1e6, Gbps: 1e9, Tbps: 1e12 }
const bandwidthWords = 'a rate with its unit (bps, kbps, Mbps, Gbps or Tbps), such as "1000Mbps"'

/**
 * Reads a case document and checks every field that `validate` uses; others are taken as they are.
 *
 * @param file its name, for messages
 * @throws CaseError at the first field that cannot be used
 */
export function readCase(text: string, file: string): Case {
  let parsed: unknown
  try {
    // Editors of one large system put a byte-order mark in front.
    parsed = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw new CaseError(`${file}: is no JSON (${(error as Error).message}): use a document of schema "foretrain/case@1"`)
  }
  const root = new Field(file, document, parsed)
  const schema = root.at('schema')
  if (schema.value !== 'foretrain/case@1') {
    schema.fail(schema.value === undefined ? 'is missing' : `is ${JSON.stringify(schema.value).slice(0, 60)}`, '"foretrain/case@1"')
  }
  return {
    ...(parsed as Case),
    name: root.at('name').text('a name'),
    batchSize: root.at('batchSize').whole(1, 1_000_000_000),
    mode: readMode(root.at('mode')),
    servers: root.at('servers').whole(1, mostServers),
    bandwidth: readBandwidth(root.at('bandwidth')),
    tracedBandwidth: root.at('tracedBandwidth').optional(readBandwidth),
    link: readLink(root.at('link')),
    computeSlowdown: root.at('computeSlowdown').optional(readSlowdown),
    traces: readGlob(root.at('traces')),
    tracedWorker: root.at('tracedWorker').whole(0, mostWorkers - 1),
    measurements: readMeasurements(root.at('measurements'))
  }
}

/** "1000Mbps" in bits per second; NaN for anything else. */
export function bandwidthBits(text: string): number {
  const [, digits, unit] = /^\s*([0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?)\s*(.*?)\s*$/i.exec(text) ?? []
  const factor = digits !== undefined && Object.hasOwn(bitsPerSecond, unit) ? bitsPerSecond[unit] : Number.NaN
  return Number(digits) * factor
}

function readBandwidth(field: Field): string {
  const text = field.text(bandwidthWords)
  const bits = bandwidthBits(text)
  if (!Number.isFinite(bits) || bits <= 0) field.fail(`is ${JSON.stringify(text).slice(0, 60)}`, bandwidthWords)
  if (bits < rates.least || bits > rates.most)
    field.fail(`is ${JSON.stringify(text).slice(0, 60)}`, `a rate from ${rates.least / 1e3}kbps to ${rates.most / 1e12}Tbps`)
  return text
}

function readMode(field: Field): Mode {
  const mode = field.text(modeNames)
  if (!modePattern.test(mode)) field.fail(`is ${JSON.stringify(mode).slice(0, 60)}`, modeNames)
  return mode as Mode
}

function readLink(field: Field): Link {
  return {
    payloadFraction: field.at('payloadFraction').number(value => value > 0 && value <= 1, 'a share above 0, at most 1'),
    bufferMs: readDelayMs(field.at('bufferMs')),
    burstBytes: field.at('burstBytes').optional(burst => burst.within(bursts.least, bursts.most)),
    latencyMs: readDelayMs(field.at('latencyMs'))
  }
}

function readDelayMs(field: Field): number {
  return field.within(delays.least / 1000, delays.most / 1000)
}

function readSlowdown(field: Field): Record<string, number> {
  const factors = field.entries().map(([worker, factor]): [string, number] => {
    if (!/^(0|[1-9][0-9]{0,4})$/.test(worker)) factor.fail('is for no worker', "workers' indices 0, 1, 2 … as names")
    return [worker, factor.positive()]
  })
  return Object.fromEntries(factors)
}

/** The traces lie below the case's folder, so that a case can be moved, and reading one reads nothing else. */
function readGlob(field: Field): string {
  const wanted = 'a glob below the folder of the case, such as "trace/*.pb.gz"'
  const glob = field.text(wanted)
  if (/^[/\\]|^[a-z]:|(^|[/\\])\.\.([/\\]|$)/i.test(glob)) field.fail(`is ${JSON.stringify(glob).slice(0, 60)}`, wanted)
  return glob
}

function readMeasurements(field: Field): Measurement[] {
  const wanted = 'a list with one measured number of workers or more'
  const measurements = field.list(wanted)
  if (measurements.length === 0) field.fail('is an empty list', wanted)
  return measurements.map(measurement => {
    const ci95 = measurement.at('ci95').list('the two ends of an interval, the lower first')
    const ends = ci95.map(end => end.notNegative())
    if (ends.length !== 2 || ends[0] > ends[1])
      measurement.at('ci95').fail(`is ${JSON.stringify(ends).slice(0, 60)}`, 'the two ends of an interval, the lower first')
    return {
      ...(measurement.value as Measurement),
      workers: measurement.at('workers').whole(1, mostWorkers),
      stepsPerSecond: measurement.at('stepsPerSecond').positive(),
      ci95: [ends[0], ends[1]]
    }
  })
}
