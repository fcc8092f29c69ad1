const normal975 = 1.959963984540054

/** 97.5 % points for 1 to 8 degrees of freedom, where the series below is off by more than 1e-4 (Abramowitz and Stegun, table 26.10). */
const few = [12.706204736, 4.30265273, 3.182446305, 2.776445105, 2.570581836, 2.446911851, 2.364624252, 2.306004135]

/**
 * The 97.5 % point of Student's t distribution: half-width of a two-sided 95 % interval in standard errors. Only arithmetic, so that it
 * has the same bits in every JavaScript engine.
 *
 * @param degreesOfFreedom a whole number; below 1 the interval is infinite
 */
export function studentT975(degreesOfFreedom: number): number {
  if (degreesOfFreedom < 1) return Number.POSITIVE_INFINITY
  if (degreesOfFreedom <= few.length) return few[degreesOfFreedom - 1]
  // Cornish-Fisher expansion, Abramowitz and Stegun 26.7.5.
  const z = normal975
  const z2 = z * z
  const n = degreesOfFreedom
  const g1 = (z * (z2 + 1)) / 4
  const g2 = (z * ((5 * z2 + 16) * z2 + 3)) / 96
  const g3 = (z * (((3 * z2 + 19) * z2 + 17) * z2 - 15)) / 384
  const g4 = (z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945)) / 92160
  return z + g1 / n + g2 / (n * n) + g3 / (n * n * n) + g4 / (n * n * n * n)
}

/** Mean and half-width of the 95 % interval of independent values; the half-width of a single value is infinite. */
export function meanInterval(values: readonly number[]): { mean: number; halfWidth: number } {
  const n = values.length
  let sum = 0
  for (const value of values) sum += value
  const mean = sum / n
  let squares = 0
  for (const value of values) squares += (value - mean) * (value - mean)
  return { mean, halfWidth: n < 2 ? Number.POSITIVE_INFINITY : studentT975(n - 1) * Math.sqrt(squares / (n - 1) / n) }
}
