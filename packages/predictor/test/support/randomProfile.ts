import { type Operation, type Profile, type ProfiledStep, profileFrom } from '@foretrain/trace-parser'
import fc from 'fast-check'

interface Shape {
  kinds: ReadonlyArray<Operation['kind']>
  /** Durations of compute and updates. */
  durationUs: fc.Arbitrary<number>
}

/** Of no round length, so that two events never fall on one time by chance. */
const odd = (min: number, max: number) => fc.double({ min, max, noNaN: true }).map(value => value + 1e-3 * Math.sin(1e6 * value))
/** A third of the operations is shorter than ε. */
export const mixedDurations = fc.oneof(odd(0.1, 8), odd(30, 400), odd(30, 400))

/** Random graphs of up to 40 operations in up to 3 templates, on one or two servers, with one to three compute slots. */
export function randomProfile({ kinds, durationUs }: Shape): fc.Arbitrary<Profile> {
  const operation = fc.record({
    kind: fc.constantFrom(...kinds),
    server: fc.nat({ max: 1 }),
    bytes: odd(10, 50_000),
    dependencies: fc.array(fc.nat({ max: 1_000_000 }), { maxLength: 3 })
  })
  return fc
    .tuple(fc.array(operation, { minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 }))
    .chain(([drawn, templates, compute]) => {
      const operations = drawn.map((one, id): Operation => {
        const transfer = one.kind === 'pull' || one.kind === 'push'
        const dependencies = id === 0 ? [] : [...new Set(one.dependencies.map(draw => draw % id))].sort((a, b) => a - b)
        return {
          name: `o${id}`,
          kind: one.kind,
          type: '',
          server: one.kind === 'compute' ? 0 : one.server,
          bytes: transfer ? one.bytes : 0,
          dependencies
        }
      })
      const numbers = fc.array(fc.tuple(durationUs, odd(0, 600)), { minLength: operations.length, maxLength: operations.length })
      return fc.array(numbers, { minLength: templates, maxLength: templates }).map(drawnSteps => {
        const steps = drawnSteps.map(
          (values, index): ProfiledStep => ({
            trace: `step${index}`,
            spanUs: 1000,
            durationUs: operations.map(({ kind }, id) => (kind === 'compute' || kind === 'update' ? values[id][0] : 0)),
            gapUs: operations.map(() => 0),
            startUs: values.map(([, start]) => start),
            endUs: operations.map(() => 0),
            imputed: []
          })
        )
        return profileFrom(operations, steps, { servers: ['ps0', 'ps1'], concurrency: { compute, update: 2 } })
      })
    })
}
