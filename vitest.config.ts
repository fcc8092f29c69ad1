import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'bench/test/**/*.test.ts'],
    reporters: ['default', './scripts/summary-reporter.mjs'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks'
  }
})
