import { test } from 'vitest'
import { engines } from './engines.ts'
import type { Simulate } from './outcome.ts'

/** One test per simulator: what is true on paper must be true of each. */
export function everySimulator(name: string, body: (simulate: Simulate) => void): void {
  for (const engine of engines) test(`${name} (${engine.name})`, () => body(engine.simulate))
}
