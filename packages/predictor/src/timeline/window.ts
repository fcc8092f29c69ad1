import { QuestionError } from '../question.ts'

/** The part of a run that a timeline shows. */
export type TimelineWindow =
  /** So many steps of each traced worker: from that ordinal on, or, by default, the first that begin when all traced workers are warm. */
  | { kind: 'steps'; count: number; from?: number }
  /** Operations that are under way in a span of simulated time; it begins at `fromUs`, default when all traced workers are warm. */
  | { kind: 'time'; lengthUs: number; fromUs?: number }

/** Most steps of a worker: more than anyone can look at, and no loop without an end. */
const MOST_STEPS = 1_000_000
/** Longest time, µs. Up to here a double holds nanoseconds. */
const LONGEST_US = 1e11

/** @throws QuestionError with what would be right */
export function checkWindow(window: TimelineWindow): void {
  if (window.kind === 'steps') {
    within('steps of the window', window.count, 1, MOST_STEPS, Number.isInteger)
    within('first step of the window', window.from ?? 0, 0, MOST_STEPS, Number.isInteger)
  } else {
    within('length of the window in µs', window.lengthUs, 1, LONGEST_US, Number.isFinite)
    within('begin of the window in µs', window.fromUs ?? 0, 0, LONGEST_US, Number.isFinite)
  }
}

function within(field: string, value: number, least: number, most: number, fits: (value: number) => boolean): void {
  if (!fits(value) || value < least || value > most)
    throw new QuestionError(`${field} is ${value}: use a number from ${least} to ${most}`)
}
