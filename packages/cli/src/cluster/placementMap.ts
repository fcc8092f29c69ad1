import type { Placement } from '@foretrain/predictor'
import { quoted } from '@foretrain/predictor/text'
import { CommandLineError } from '../errors.ts'
import { shown } from './shown.ts'

const mostServers = 65_535

/**
 * Reads variables with their servers.
 *
 * @param place of a variable, for the message: "FILE.json: "conv1/kernel""
 */
export function readPlacementMap(value: object, place: (variable: string) => string): Exclude<Placement, string> {
  for (const [variable, server] of Object.entries(value)) {
    if (typeof server === 'number' && Number.isInteger(server) && server >= 0 && server < mostServers) continue
    throw new CommandLineError(`${place(variable)}: is ${shown(server)}: use the number of a server: 0, 1, 2 …`)
  }
  return value as Record<string, number>
}

/** Reads a placement file: a JSON object, variable name → server. */
export function parsePlacementFile(name: string, text: string): Exclude<Placement, string> {
  const wanted = 'a JSON object of variables with their servers, such as {"conv1/kernel": 0, "conv1/bias": 1}'
  let parsed: unknown
  try {
    parsed = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    const what = text.trim() === '' ? 'is empty' : `is no JSON (${(error as Error).message})`
    throw new CommandLineError(`${name}: ${what}: use ${wanted}`)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new CommandLineError(`${name}: is ${shown(parsed)}: use ${wanted}`)
  return readPlacementMap(parsed, variable => `${name}: ${quoted(variable)}`)
}
