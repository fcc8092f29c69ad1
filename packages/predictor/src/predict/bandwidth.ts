const units: Array<[string, number]> = [
  ['Tbps', 1e12],
  ['Gbps', 1e9],
  ['Mbps', 1e6],
  ['kbps', 1e3]
]

/** Nominal rate with the largest unit that leaves a number of at least 1; "calibrated" when none was given. */
export function bandwidthText(bitsPerSecond: number | undefined): string {
  if (bitsPerSecond === undefined) return 'calibrated'
  for (const [unit, factor] of units) if (bitsPerSecond >= factor) return `${bitsPerSecond / factor}${unit}`
  return `${bitsPerSecond}bps`
}
