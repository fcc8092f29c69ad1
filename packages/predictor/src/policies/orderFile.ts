import { QuestionError } from '../question.ts'
import type { Policy, StepGraph } from './policy.ts'
import { pullsOfPushes, variableOfPull } from './variables.ts'

/** A file of ranks as it was read: what `--policy order:FILE` names. */
export interface OrderFile {
  /** As messages name it. */
  file: string
  /** CSV: variable,rank[,direction] a line; the line with these names may be left out. */
  text: string
}

interface Row {
  line: number
  variable: string
  rank: number
  direction: 'pull' | 'push'
}

/** A policy whose ranks a person wrote, with what its file leaves open. */
export interface OrderPolicy extends Policy {
  /** How many pulls the file does not rank. */
  unrankedPulls(graph: StepGraph): number
}

/**
 * Ranks of a file. Its variables are named as in the profile ("conv1/kernel"), or as their transfers are ("conv1/kernel/read"). What it does
 * not list comes last.
 *
 * @throws QuestionError with file and line: not two or three columns, no number, an unknown direction, a variable twice; in `rank` also a
 * variable that the profile does not have
 */
export function orderOf(name: string, { file, text }: OrderFile): OrderPolicy {
  const rows = parse(text, file)
  const last = rows.reduce((most, { rank }) => Math.max(most, rank), 0) + 1
  const ranksOf = (graph: StepGraph, direction: Row['direction']) => {
    const positions = positionsByName(graph, direction)
    const ranks: Array<number | undefined> = new Array(graph[direction === 'pull' ? 'pulls' : 'pushes'].length).fill(undefined)
    for (const { line, variable, rank } of rows.filter(row => row.direction === direction)) {
      const found = positions.get(variable)
      if (found === undefined) {
        const example = positions.keys().next().value
        const known = example === undefined ? `it has no ${direction}es` : `one of its ${positions.size} names, such as ${example}`
        throw new QuestionError(`${file}:${line}: the profile has no ${direction} of variable ${variable}: use ${known}`)
      }
      for (const position of found) ranks[position] = rank
    }
    return ranks
  }
  const withLast = (ranks: Array<number | undefined>) => ranks.map(rank => rank ?? last)
  const ranksPushes = rows.some(({ direction }) => direction === 'push')
  return {
    name,
    rank: graph => ({
      pulls: withLast(ranksOf(graph, 'pull')),
      ...(ranksPushes && { pushes: withLast(ranksOf(graph, 'push')) })
    }),
    unrankedPulls: graph => ranksOf(graph, 'pull').filter(rank => rank === undefined).length
  }
}

function positionsByName(graph: StepGraph, direction: Row['direction']): Map<string, number[]> {
  const { operations, pulls, pushes } = graph
  const positions = new Map<string, number[]>()
  const add = (name: string, position: number) => {
    const known = positions.get(name) ?? []
    if (!known.includes(position)) positions.set(name, [...known, position])
  }
  pulls.forEach((id, position) => {
    if (direction === 'push') return
    add(variableOfPull(operations[id].name), position)
    add(operations[id].name, position)
  })
  if (direction === 'pull') return positions
  const pullOf = pullsOfPushes(graph, pulls)
  pushes.forEach((id, position) => {
    if (pullOf[position] >= 0) add(variableOfPull(operations[pulls[pullOf[position]]].name), position)
    add(operations[id].name, position)
  })
  return positions
}

const columnNames = ['variable', 'rank', 'direction']

function parse(text: string, file: string): Row[] {
  const fail = (line: number, what: string): never => {
    throw new QuestionError(`${file}:${line}: ${what}`)
  }
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .map((content, index) => ({ line: index + 1, fields: content.split(',').map(field => field.trim()) }))
    .filter(({ fields }) => fields.some(field => field !== ''))
  const head = lines[0]?.fields.map(field => field.toLowerCase())
  const hasHead = head !== undefined && columnNames.slice(0, head.length).join() === head.join()
  const rows = lines.slice(hasHead ? 1 : 0)
  if (rows.length === 0) fail(1, 'no rank in it: write a line variable,rank for each variable')
  const seen = new Map<string, number>()
  return rows.map(({ line, fields }): Row => {
    if (fields.length < 2 || fields.length > 3) fail(line, `${fields.length} columns: use variable,rank or variable,rank,direction`)
    const [variable, written, direction = 'pull'] = fields
    if (variable === '') fail(line, 'no variable: use variable,rank')
    const rank = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(written) ? Number(written) : Number.NaN
    if (!Number.isFinite(rank)) fail(line, `rank "${written}" is no number: use one such as 3`)
    if (direction !== 'pull' && direction !== 'push') return fail(line, `direction "${direction}": use pull or push`)
    const key = `${direction} ${variable}`
    const before = seen.get(key)
    if (before !== undefined) fail(line, `${variable} has a rank already, in line ${before}: list each ${direction} once`)
    seen.set(key, line)
    return { line, variable, rank, direction }
  })
}
