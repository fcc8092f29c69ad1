const goldenRatio = (Math.sqrt(5) - 1) / 2

/** A point and the value of the minimised function there. */
interface Minimum {
  x: number
  value: number
}

/** Golden-section search in [low, high]; `evaluations` narrows the bracket by 0.618 each. Finds a local minimum. */
export function goldenSection(f: (x: number) => number, low: number, high: number, evaluations: number): Minimum {
  let a = low
  let b = high
  let left = evaluate(f, b - goldenRatio * (b - a))
  let right = evaluate(f, a + goldenRatio * (b - a))
  for (let i = 2; i < evaluations; i++) {
    if (left.value <= right.value) {
      b = right.x
      right = left
      left = evaluate(f, b - goldenRatio * (b - a))
    } else {
      a = left.x
      left = right
      right = evaluate(f, a + goldenRatio * (b - a))
    }
  }
  return left.value <= right.value ? left : right
}

function evaluate(f: (x: number) => number, x: number): Minimum {
  return { x, value: f(x) }
}
