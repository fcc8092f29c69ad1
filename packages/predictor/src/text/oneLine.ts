/** Controls, line separators, lone surrogates, and the marks that change the direction of what follows. */
export const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
const named: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * Makes text from outside (file names, names in traces, arguments) safe to print: one line, no terminal escapes.
 * What cannot be printed is written as in a string literal: `\n`, `\x1b`, `\u{202e}`.
 */
export function oneLine(text: string): string {
  return text.replace(unprintable, character => {
    const code = character.codePointAt(0) ?? 0
    if (named[character]) return named[character]
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`
  })
}

/** An argument as it is shown in an error: in quotes, printable, and short. */
export function quoted(text: string): string {
  const characters = [...oneLine(text)]
  return `"${characters.length > 60 ? `${characters.slice(0, 57).join('')}...` : characters.join('')}"`
}
