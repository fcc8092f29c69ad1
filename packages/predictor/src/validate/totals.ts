import type { Validation } from '../schema.ts'

type ComparedPoint = Validation['cases'][number]['points'][number]

/**
 * What the points of all cases come to, each point with the same weight. One worker counts in `singleWorkerMeanAbsError` alone. Of no points
 * at all, errors are 0 and everything is covered.
 */
export function totalsOf(cases: Validation['cases']): Omit<Validation, 'schema' | 'cases'> {
  const all = cases.flatMap(({ points }) => points)
  const several = all.filter(({ workers }) => workers > 1)
  const single = all.filter(({ workers }) => workers === 1)
  const names = [...new Set(several.flatMap(({ baselines }) => Object.keys(baselines)))]
  // A baseline that some points lack is judged by those that have it.
  const baselineError = (name: string) =>
    meanAbs(several.filter(({ baselineErrors }) => name in baselineErrors).map(({ baselineErrors }) => baselineErrors[name]))
  return {
    meanAbsError: meanAbs(several.map(({ error }) => error)),
    maxAbsError: several.reduce((most, { error }) => Math.max(most, Math.abs(error)), 0),
    maxOutside: several.reduce((most, { outside }) => Math.max(most, outside), 0),
    coverage: several.length > 0 ? several.filter(isCovered).length / several.length : 1,
    singleWorkerMeanAbsError: meanAbs(single.map(({ error }) => error)),
    baselineMeanAbsErrors: Object.fromEntries(names.map(name => [name, baselineError(name)]))
  }
}

/** Whether the measured interval and the band in which it should fall meet. */
export function isCovered({ measuredCi95, band95 }: ComparedPoint): boolean {
  return band95[0] <= measuredCi95[1] && measuredCi95[0] <= band95[1]
}

function meanAbs(errors: readonly number[]): number {
  return errors.length > 0 ? errors.reduce((sum, error) => sum + Math.abs(error), 0) / errors.length : 0
}
