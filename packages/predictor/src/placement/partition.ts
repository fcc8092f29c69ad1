import type { Operation, Profile, ProfiledStep } from '@foretrain/trace-parser'
import { QuestionError } from '../question.ts'
import { type PlacedVariable, placedVariables } from './variables.ts'

/** One element of float32: a part has at least one. */
const leastPartBytes = 4
/** As many as a trace may have. */
const mostOperations = 400_000

/**
 * The profile of the same job with each variable in `parts` parts, as tf.fixed_size_partitioner makes them: a part has its own pull, push and
 * update, is a variable of its own ("name/part_0") and takes its share of the bytes and of the update's time. Each operation starts when
 * the whole one was recorded to. What used the whole variable waits for all parts; a part's push goes to that part's update. A transfer that does not
 * reach 4 bytes a part leaves its variable whole.
 *
 * @returns the same profile when nothing is divided
 * @throws QuestionError when the profile was saved without its variables, or the parts are too many to simulate
 */
export function partitionVariables(profile: Profile, parts: number): Profile {
  if (parts === 1) return profile
  const divided = placedVariables(profile).filter(variable => isDivisible(variable, profile.operations, parts))
  if (divided.length === 0) return profile
  const ownerOf = new Map(divided.flatMap(variable => variable.operations.map(id => [id, variable] as const)))
  const copies = profile.operations.map((_, id) => (ownerOf.has(id) ? parts : 1))
  const firstOf: number[] = []
  let count = 0
  for (const of of copies) {
    firstOf.push(count)
    count += of
  }
  if (count > mostOperations)
    throw new QuestionError(
      `number of parts of a variable is ${parts}, which makes ${count} operations of a step: use at most ${mostParts(profile.operations.length, ownerOf.size)}`
    )
  const everyPart = (id: number) => Array.from({ length: copies[id] }, (_, part) => firstOf[id] + part)
  const operations = profile.operations.flatMap((operation, id) =>
    everyPart(id).map((_, part): Operation => {
      const dependencies = operation.dependencies.flatMap(from =>
        ownerOf.has(id) && ownerOf.get(from) === ownerOf.get(id) ? [firstOf[from] + part] : everyPart(from)
      )
      if (copies[id] === 1) return { ...operation, dependencies }
      return { ...operation, name: partName(operation.name, part), bytes: share(operation.bytes, parts, part), dependencies }
    })
  )
  const variables = (profile.variables ?? []).flatMap(({ name, operations: own }) =>
    ownerOf.get(own[0])?.name === name
      ? Array.from({ length: parts }, (_, part) => ({ name: partName(name, part), operations: own.map(id => firstOf[id] + part) }))
      : [{ name, operations: own.map(id => firstOf[id]) }]
  )
  const spread = (values: readonly number[]) => values.flatMap((value, id) => new Array<number>(copies[id]).fill(value))
  const steps = profile.steps.map(
    (step): ProfiledStep => ({
      ...step,
      durationUs: step.durationUs.flatMap((us, id) => new Array<number>(copies[id]).fill(us / copies[id])),
      gapUs: spread(step.gapUs),
      startUs: spread(step.startUs),
      endUs: spread(step.endUs),
      imputed: step.imputed.flatMap(everyPart),
      ...(step.bytes && {
        bytes: step.bytes.flatMap(([id, bytes]) =>
          everyPart(id).map((at, part): [number, number] => [at, copies[id] === 1 ? bytes : share(bytes, parts, part)])
        )
      })
    })
  )
  return { ...profile, operations, variables, steps }
}

/** @param divided how many of the operations are cut up */
function mostParts(operations: number, divided: number): number {
  return Math.max(1, Math.floor((mostOperations - operations) / divided) + 1)
}

function isDivisible({ operations: own }: PlacedVariable, operations: readonly Operation[], parts: number): boolean {
  const transfers = own.map(id => operations[id]).filter(({ kind }) => kind !== 'update')
  return transfers.length > 0 && transfers.every(({ bytes }) => bytes >= leastPartBytes * parts)
}

function partName(name: string, part: number): string {
  return `${name}/part_${part}`
}

/** Bytes of one part; whole ones, and all of them together those of the whole. */
function share(bytes: number, parts: number, part: number): number {
  return Math.floor((bytes * (part + 1)) / parts) - Math.floor((bytes * part) / parts)
}
