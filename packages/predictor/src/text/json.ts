import { unprintable } from './oneLine.ts'

/** A document as JSON text. What JSON leaves as it is and a terminal may act on is escaped too; newlines between its lines stay. */
export function renderJson(document: unknown): string {
  const lines = JSON.stringify(document, null, 2).split('\n')
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return lines.map(line => `${line.replace(unprintable, escaped)}\n`).join('')
}
