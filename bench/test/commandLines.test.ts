import { describe, expect, test } from 'vitest'
import { faultsOf } from '../commandLines/attempt.mjs'
import { readGrammar, tryCommandLines } from '../commandLines/tryCommandLines.mjs'

/** Fifteen times what the slowest takes: the machine may be busy with other tests. */
const MOST_SECONDS = 45

const sound = { code: 2, signal: null, interrupted: false, errors: 'foretrain: --workers "0": too few\n', seconds: 1 }

describe('what counts as broken', () => {
  test.each([
    { what: 'nothing', ended: sound, faults: [] },
    { what: 'a bug', ended: { ...sound, code: 3 }, faults: ['ended with 3'] },
    { what: 'a crash', ended: { ...sound, code: null, signal: 'SIGSEGV' as const }, faults: ['ended with SIGSEGV'] },
    { what: 'a long time', ended: { ...sound, seconds: 50 }, faults: ['took 50.0 s'] },
    { what: 'silence', ended: { ...sound, errors: '' }, faults: ['0 lines of error'] },
    {
      what: 'a stack',
      ended: { ...sound, errors: `${sound.errors}    at main (foretrain.js:1:2)\n` },
      faults: ['says "    at main (foretrain.js:1:2)"']
    },
    { what: 'colour', ended: { ...sound, errors: 'foretrain: \u001b[31m\n' }, faults: ['prints control characters'] }
  ])('$what', ({ ended, faults }) => {
    expect(faultsOf(ended, MOST_SECONDS)).toEqual(faults)
  })
})

test('the help is understood: every command has flags, and most of their values an example', () => {
  const commands = readGrammar()
  expect(commands.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['inspect', 'predict', 'compare', 'timeline', 'plan', 'sweep', 'work', 'validate', 'serve'])
  )
  const { flags, takesFiles } = commands.find(({ name }) => name === 'predict') ?? { flags: [], takesFiles: false }
  expect(takesFiles).toBe(true)
  expect(flags).toContainEqual({ name: '--colocate', value: undefined, examples: [] })
  expect(flags).toContainEqual({ name: '--priority-order', value: 'NAME', examples: ['fifo', 'tac'] })
})

test('25 random command lines keep what is promised of any', async () => {
  const { codes, broken } = await tryCommandLines({ count: 25, seed: 4, mostSeconds: MOST_SECONDS })
  expect(broken).toEqual([])
  // Where all are refused, or none is, nothing was tried.
  expect(codes.get(0)).toBeGreaterThan(2)
  expect(codes.get(2)).toBeGreaterThan(2)
})
