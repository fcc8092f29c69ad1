/** The parts of docs/accuracy.md that programs write, each between markers of its own. */
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const page = join(dirname(fileURLToPath(import.meta.url)), '../../docs/accuracy.md')

/**
 * The page with another text between `<!-- NAME: begin -->` and `<!-- NAME: end -->`.
 *
 * @param {string} name
 * @param {string} section
 */
export function withSection(name, section) {
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`]
  const text = readFileSync(page, 'utf8')
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`docs/accuracy.md lacks "${begin}" and, behind it, "${end}"`)
  return `${text.slice(0, from + begin.length)}\n\n${section}\n\n${text.slice(to)}`
}

/**
 * @param {string} name
 * @param {string} section
 */
export function writeSection(name, section) {
  writeFileSync(page, withSection(name, section))
}
