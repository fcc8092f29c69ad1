import { OperationKind } from '@foretrain/core-wasm'
import { presentNodes, type WorkGraph } from './workGraph.ts'

/**
 * Lets the pulls that wait for nothing become ready at one time, the earliest recorded start of any of them in each template. Before
 * contraction, which draws conclusions from release times.
 */
export function releasePullsTogether(graph: WorkGraph): void {
  const pulls = [...presentNodes(graph)].filter(({ kind, releaseUs }) => kind === OperationKind.pull && releaseUs !== null)
  const earliestUs = new Float64Array(graph.templates).fill(Number.POSITIVE_INFINITY)
  for (const { releaseUs } of pulls)
    for (let template = 0; template < graph.templates; template++)
      earliestUs[template] = Math.min(earliestUs[template], releaseUs![template])
  for (const pull of pulls) pull.releaseUs = earliestUs.slice()
}
