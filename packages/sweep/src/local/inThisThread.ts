import { type SweepCommon, SweepPoints } from '@foretrain/predictor'
import type { Chunk } from './chunks.ts'
import type { Executor } from './executor.ts'
import { Grid, type SweepPlan } from './plan.ts'
import { failedRow, type Row, rowOf } from './rows.ts'

/** An executor of this thread, which can also make the rows of points that it does not simulate. */
export interface LocalExecutor extends Executor {
  /** The rows of points that cannot be simulated for a reason that the caller knows. */
  failedRows(chunk: Chunk, error: string): Row[]
}

/**
 * Simulates in the calling thread, with pauses in which its event loop runs.
 *
 * @param module of `compileCore`. Default: that of this thread
 * @throws QuestionError when no point of the plan can be answered
 */
export async function inThisThread(
  profile: SweepCommon['profile'],
  plan: SweepPlan,
  module?: WebAssembly.Module
): Promise<LocalExecutor> {
  const ended = new AbortController()
  const { signal } = ended
  const points = await SweepPoints.open({ ...plan.common, profile }, { module, signal })
  const grid = new Grid(plan.axes)
  return {
    width: 1,
    async run({ from, to }: Chunk): Promise<Row[]> {
      const rows: Row[] = []
      for (let index = from; index < to; index++) rows.push(await rowOf(points, index, grid.at(index), signal))
      return rows
    },
    failedRows({ from, to }, error) {
      const indices = Array.from({ length: to - from }, (_, i) => from + i)
      return indices.map(index => failedRow(index, points.settingOf(grid.at(index)), error))
    },
    async close() {
      ended.abort()
    }
  }
}
