import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type Published, predictCurve, profileOf, statedCosts } from '../accuracy/published-curves.mjs'

const published: Published = JSON.parse(
  readFileSync(fileURLToPath(new URL('../accuracy/published-curves.json', import.meta.url)), 'utf8')
)
const page = readFileSync(fileURLToPath(new URL('../../docs/accuracy.md', import.meta.url)), 'utf8')

/** The error that the page gives for a group of curves: with costs, and with links alone. */
function total(group: string): { withCosts: number; linksOnly: number } {
  const row = page.split('\n').find(line => line.startsWith(`| ${group} `))
  const [, , , withCosts, linksOnly] = (row ?? '').split('|').map(cell => Number.parseFloat(cell))
  return { withCosts, linksOnly }
}

/** What the page says was predicted for a curve, by the number of workers. */
function onPage(gpu: string, model: string): number[] {
  const lines = page.slice(page.indexOf(`### ${model} on ${gpu}\n`)).split('\n')
  const row = lines.find(line => /^\| predicted +\|/.test(line)) ?? ''
  return row.split('|').slice(2, -1).map(Number)
}

test('costs are those of a core', () => {
  // 48 µs and 1.34 ms a MB of model are what four cores take together; half of the bytes are pulled, half pushed.
  expect(statedCosts(published)).toEqual({ messageUs: 192, perByteUs: 0.00268 })
})

test('the job is of the stated size', () => {
  for (const model of Object.values(published.models)) {
    const { operations } = profileOf(model, 1e5, 150)
    for (const kind of ['pull', 'push']) {
      const transfers = operations.filter(operation => operation.kind === kind)
      expect(transfers).toHaveLength(model.variables)
      expect(transfers.reduce((sum, { bytes }) => sum + bytes, 0)).toBeCloseTo(model.bytes, 3)
    }
  }
})

test('the page keeps what was reached', () => {
  expect(total('all').withCosts).toBeLessThan(6.5)
  expect(total('K80, no saturation').withCosts).toBeLessThan(3)
  expect(total('P100, saturated').withCosts).toBeLessThan(11)
  expect(total('P100, the other two models').withCosts).toBeLessThan(14)
  expect(total('all').withCosts).toBeLessThan(total('all').linksOnly / 2)
})

test.each([
  ['K80', 'ResNet-15'],
  ['P100', 'ResNet-15']
])(
  'the page is of this code: %s, %s',
  async (gpu, model) => {
    const curve = published.curves.find(one => one.gpu === gpu && one.model === model)!
    const { points } = await predictCurve(published, curve, statedCosts(published))
    const written = onPage(gpu, model)
    expect(written).toHaveLength(points.length)
    // A hundredth of slack, so that what changes no prediction by more does not ask for a new page.
    points.forEach(({ predicted }, i) => {
      expect(Math.abs(predicted / written[i] - 1)).toBeLessThan(0.01)
    })
  },
  60_000
)
