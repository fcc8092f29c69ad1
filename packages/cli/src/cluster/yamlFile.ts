import { oneLine } from '@foretrain/predictor/text'
import { isMap, isPair, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import { CommandLineError } from '../errors.ts'

/** A cluster of a thousand groups takes a tenth of it. */
export const mostYamlBytes = 65_536
/** Aliases that may be resolved, counted as the parser does against bombs. */
const mostAliases = 100
/** The files that are read have four levels at most. The parser goes deeper by calling itself. */
const deepest = 30

/** A parsed YAML document that knows where its values stand. */
export class YamlFile {
  readonly value: unknown
  readonly #name: string
  readonly #contents: Node | null
  readonly #lines = new LineCounter()

  /** @throws CommandLineError when the text is no single YAML document of plain values */
  constructor(name: string, text: string) {
    this.#name = name
    refuseDepth(name, text)
    const invalid = (what: string, line: number) => new CommandLineError(`${name}:${line}: not valid YAML: ${oneLine(what)}`)
    const document = parseDocument(text, { lineCounter: this.#lines, logLevel: 'error' })
    const [problem] = [...document.errors, ...document.warnings]
    if (problem !== undefined) throw invalid(problem.message.split(/:? at line \d+|\n/)[0], problem.linePos?.[0].line ?? 1)
    this.#contents = document.contents
    try {
      this.value = document.toJS({ maxAliasCount: mostAliases })
    } catch (error) {
      // Aliases are resolved only here.
      throw invalid((error as Error).message, 1)
    }
  }

  /** "FILE.yaml:3: workers[0].speed" */
  place(path: ReadonlyArray<string | number>): string {
    const field = path.reduce<string>(
      (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? key : `${text}.${key}`),
      ''
    )
    return `${this.#name}:${this.#line(path)}: ${field === '' ? 'the file' : oneLine(field.length > 80 ? `${field.slice(0, 77)}...` : field)}`
  }

  /** Of the innermost field on the path that is there. */
  #line(path: ReadonlyArray<string | number>): number {
    let node: unknown = this.#contents
    let offset = this.#contents?.range?.[0] ?? 0
    for (const key of path) {
      let next: unknown
      if (isSeq(node) && typeof key === 'number') next = node.items[key]
      else if (isMap(node))
        next = node.items.find(pair => isPair(pair) && String((pair.key as Node & { value?: unknown })?.value) === key)
      if (next === undefined) break
      const at = (isPair(next) ? next.key : next) as Node
      offset = at?.range?.[0] ?? offset
      node = isPair(next) ? next.value : next
    }
    return this.#lines.linePos(offset).line
  }
}

/** Both kinds of nesting, before the parser sees them: brackets, and "- - -" or "? ? ?" on one line. */
function refuseDepth(name: string, text: string): void {
  let open = 0
  for (const [index, line] of text.split('\n').entries()) {
    let most = line.match(/(?<!\S)[-?:](?!\S)/g)?.length ?? 0
    for (const [bracket] of line.matchAll(/[[\]{}]/g)) {
      open = Math.max(0, open + ('[{'.includes(bracket) ? 1 : -1))
      most = Math.max(most, open)
    }
    if (most > deepest)
      throw new CommandLineError(
        `${name}:${index + 1}: not valid YAML: nested more than ${deepest} deep; four levels are the most that is needed`
      )
  }
}
