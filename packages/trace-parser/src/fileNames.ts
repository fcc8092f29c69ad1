/** What is told by the names of files before any is read. */

/** Whether a file in a folder is taken for a trace: "run_metadata_003.pb.gz", "step_12.pb", "RunMetadata-7". */
export function looksLikeTrace(fileName: string): boolean {
  if (/^(saved_model|keras_metadata|fingerprint|.*frozen.*)\.pb$|\.xplane\.pb(\.gz)?$/i.test(fileName)) return false
  if (/\.pb(\.gz)?$/i.test(fileName)) return true
  return /run_?-?metadata/i.test(fileName) && !/\.(json|csv|txt|md|pbtxt|py|log|html|zip|tar)$/i.test(fileName)
}

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
