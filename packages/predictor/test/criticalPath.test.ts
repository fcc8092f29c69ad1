import { loadCore } from '@foretrain/core-wasm'
import { expect, test } from 'vitest'
import { playInOrder, tracedCluster } from '../src/calibrate/oneWorker.ts'
import { compile } from '../src/compile/compile.ts'
import { walkContext, walkCriticalPath } from '../src/criticalPath.ts'
import { chainNetwork } from './support/syntheticProfile.ts'

const path = { goodputBytesPerUs: 110, windowBytes: Number.POSITIVE_INFINITY, parsePerByteUs: 0, latencyUs: 50 }

test.each([0.5, 1, 3])('a worker of compute scale %f spends gaps and compute in the recorded proportion', async computeScale => {
  const chain = chainNetwork({ layers: [1000, 1000], forwardUs: 900, updateUs: 60, steps: 2 })
  const isCompute = chain.operations.map(({ kind }) => kind === 'compute')
  const gapOf = (us: number, id: number) => (isCompute[id] && us > 100 ? us / 3 : 0)
  const steps = chain.steps.map(step => ({ ...step, gapUs: step.durationUs.map(gapOf) }))
  const profile = { ...chain, steps }
  const compiled = compile(profile, { contract: false })
  const cluster = tracedCluster(profile, 'simple', path)
  const scaled = { ...cluster, workers: cluster.workers.map(worker => ({ ...worker, computeScale })) }
  const { log } = playInOrder(await loadCore(), compiled.job, scaled, true)
  const times = walkCriticalPath(walkContext(profile, compiled, path, computeScale), log[0], 0, 0)
  // Two layers forward, two backward at twice the time.
  expect(times.gap).toBeCloseTo((computeScale * 6 * 900) / 3, 6)
  // Inline operations of 2.5 µs are on the path too.
  expect(times.compute / (3 * times.gap)).toBeCloseTo(1, 2)
})
