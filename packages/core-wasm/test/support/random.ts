import type fc from 'fast-check'

/** A fixed seed keeps the suite repeatable. For a longer search: RANDOM_RUNS=20000 RANDOM_SEED=… npx vitest run packages/core-wasm */
export function cases(runs: number): fc.Parameters<unknown> {
  const factor = Number(process.env.RANDOM_RUNS ?? 0) / 300
  return {
    seed: Number(process.env.RANDOM_SEED ?? 1911),
    numRuns: factor > 0 ? Math.ceil(runs * factor) : runs,
    maxSkipsPerRun: 20
  }
}
