/**
 * Pieces of messages. Names stand in them as they stand in the file, whatever characters they hold: whoever shows a message on a terminal
 * makes it safe there, once for all that it shows.
 */

const LONGEST = 100

/** Text from a file; a long one loses its middle. */
export function short(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST / 2)}…${text.slice(-LONGEST / 2)}` : text
}

/** `1 step`, `2 steps`, `2 entries`. */
export function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`
}

/** The first few of some names, for a message. */
export function some(names: readonly string[], most = 3): string {
  const shown = names.slice(0, most).map(short).join(', ')
  return names.length > most ? `${shown} and ${names.length - most} more` : shown
}

/** Milliseconds of a time in µs, three significant digits. */
export function ms(timeUs: number): string {
  return `${Number((timeUs / 1000).toPrecision(3))} ms`
}
