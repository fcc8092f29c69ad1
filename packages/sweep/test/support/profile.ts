import { profileFrom, type SweepCommon } from '@foretrain/predictor'

type Profile = SweepCommon['profile']

/** Bytes of each layer's variable. */
const layers = [40_000, 5_000_000, 600_000]
/** Payload of the traced link. */
const bytesPerUs = 115

/** A network of three layers, traced over four steps: pulls one after the other, compute forward and backward, pushes, updates. */
export function smallProfile(): Profile {
  const operations: Profile['operations'] = []
  const durationUs: number[] = []
  const startUs: number[] = []
  const endUs: number[] = []
  const add = (kind: 'pull' | 'compute' | 'push' | 'update', bytes: number, us: number, dependencies: number[], atUs = 0) => {
    const ready = dependencies.reduce((latest, id) => Math.max(latest, endUs[id]), atUs)
    operations.push({
      name: `${kind}${operations.length}`,
      kind,
      type: '',
      server: 0,
      bytes,
      dependencies: [...dependencies].sort((a, b) => a - b)
    })
    durationUs.push(kind === 'compute' || kind === 'update' ? us : 0)
    startUs.push(ready)
    endUs.push(ready + us)
    return operations.length - 1
  }
  let atUs = 0
  const pulls = layers.map(bytes => {
    const id = add('pull', bytes, bytes / bytesPerUs, [], atUs)
    atUs = endUs[id]
    return id
  })
  let last: number[] = []
  for (const pull of pulls) last = [add('compute', 0, 9000, [pull, ...last])]
  for (const bytes of [...layers].reverse()) {
    last = [add('compute', 0, 18_000, last)]
    add('update', 0, 60, [add('push', bytes, bytes / bytesPerUs, last)])
  }
  const factors = [1, 1.02, 0.98, 1.04]
  const steps = factors.map((factor, index) => ({
    trace: `step${index}`,
    spanUs: Math.max(...endUs) * factor,
    durationUs: durationUs.map(us => us * factor),
    gapUs: durationUs.map(() => 0),
    startUs: startUs.map(us => us * factor),
    endUs: endUs.map(us => us * factor),
    imputed: []
  }))
  return profileFrom(operations, steps)
}
