#!/usr/bin/env node
/** The raw TCP experiment in the simulator with the default share tables, beside what was measured: `node bench/transport/simulate-shares.mjs` in a built checkout. */
import { COMPARED_TENTHS, measuredRuns, simulateRun } from './experiment.mjs'

for (const [name, { newcomerOverEstablished, pairShareStandardDeviation }] of Object.entries(measuredRuns)) {
  const { ratios, deviation } = simulateRun(name)
  console.log(`${name}: a pair's share scatters by ${deviation.toFixed(3)}, measured ${pairShareStandardDeviation}`)
  for (const [others, row] of Object.entries(newcomerOverEstablished)) {
    const simulated = row.map((_, tenth) => {
      const sum = ratios.get(`${others},${tenth}`)
      return sum === undefined ? ' -  ' : (sum.mine / sum.theirs).toFixed(2)
    })
    console.log(
      `  beside ${others}: ${simulated.slice(0, COMPARED_TENTHS).join(' ')}\n   measured ${row
        .slice(0, COMPARED_TENTHS)
        .map(ratio => ratio.toFixed(2))
        .join(' ')}`
    )
  }
}
