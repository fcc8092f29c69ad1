/** Pieces of messages: everything that comes from a file is made safe for one line of a terminal. */

const LONGEST = 100

/** Text from a file, without line breaks, control or bidirectional characters; a long one loses its middle. */
export function plain(text: string): string {
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST / 2)}…${text.slice(-LONGEST / 2)}` : text
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
  return cut.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g, '?')
}

/** `1 step`, `2 steps`, `2 entries`. */
export function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`
}

/** The first few of some names, for a message. */
export function some(names: readonly string[], most = 3): string {
  const shown = names.slice(0, most).map(plain).join(', ')
  return names.length > most ? `${shown} and ${names.length - most} more` : shown
}

/** Milliseconds of a time in µs, three significant digits. */
export function ms(timeUs: number): string {
  return `${Number((timeUs / 1000).toPrecision(3))} ms`
}
