/** Compares names as people sort them: digits by value, the rest by code point; equal values by length, then as text. */
export function compareNaturally(a: string, b: string): number {
  const partsOfA = a.split(/([0-9]+)/)
  const partsOfB = b.split(/([0-9]+)/)
  for (let index = 0; index < Math.min(partsOfA.length, partsOfB.length); index += 1) {
    const [left, right] = [partsOfA[index], partsOfB[index]]
    if (left === right) continue
    const difference = index % 2 === 1 ? compareDigits(left, right) : 0
    if (difference !== 0) return difference
    return left < right ? -1 : 1
  }
  return partsOfA.length - partsOfB.length
}

/** Digits of any length, beyond what a number holds. */
function compareDigits(a: string, b: string): number {
  const [left, right] = [a.replace(/^0+/, ''), b.replace(/^0+/, '')]
  if (left.length !== right.length) return left.length - right.length
  return left === right ? 0 : left < right ? -1 : 1
}
