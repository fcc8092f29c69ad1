/**
 * Exact mean value analysis of a closed network of queueing stations and a think time (Reiser and Lavenberg 1980).
 *
 * @param demandsUs service demand of one cycle at each station
 * @param thinkUs time of a cycle spent at no station
 * @param population circulating customers, at least 1
 * @returns cycles per µs of all customers together
 */
export function closedNetworkThroughput(demandsUs: readonly number[], thinkUs: number, population: number): number {
  const queue = demandsUs.map(() => 0)
  let throughput = 0
  for (let n = 1; n <= population; n++) {
    let responseUs = 0
    const residence = demandsUs.map((demand, station) => demand * (1 + queue[station]))
    for (const time of residence) responseUs += time
    throughput = n / (thinkUs + responseUs)
    for (let station = 0; station < queue.length; station++) queue[station] = throughput * residence[station]
  }
  return throughput
}
