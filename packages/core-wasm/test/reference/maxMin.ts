export interface Flow {
  weight: number
  /** Indices of the links that it crosses. */
  links: readonly number[]
}

/**
 * Weighted max-min fairness by progressive filling: raise one level for all flows, rate = weight · level, until a link is full;
 * its flows stay at that level, the others go on.
 */
export function maxMinRates(flows: readonly Flow[], capacities: readonly number[]): number[] {
  const rates: (number | undefined)[] = flows.map(() => undefined)
  for (;;) {
    const levels = capacities.map((capacity, link) => {
      let free = capacity
      let growingWeight = 0
      flows.forEach((flow, i) => {
        if (!flow.links.includes(link)) return
        if (rates[i] === undefined) growingWeight += flow.weight
        else free -= rates[i]
      })
      return growingWeight > 0 ? Math.max(0, free) / growingWeight : Infinity
    })
    const level = Math.min(...levels)
    const full = levels.indexOf(level)
    if (level === Infinity) return rates.map(rate => rate ?? Infinity)
    flows.forEach((flow, i) => {
      if (rates[i] === undefined && flow.links.includes(full)) rates[i] = flow.weight * level
    })
  }
}
