import { type Cluster, type Core, type Job, type LogEntry, Simulation } from '@foretrain/core-wasm'
import type { Profile } from '@foretrain/trace-parser'
import { buildCluster } from '../cluster.ts'
import { computeSlotsOf } from '../compile/compile.ts'
import { defaults } from '../defaults.ts'
import type { TransportName } from '../question.ts'
import { reported } from '../simulate/memory.ts'
import { describeTransport, type Path } from '../transport.ts'

/** What one worker did when it played some templates in order, each with times from its own start. */
interface OneWorkerRun {
  spanUs: Float64Array
  log: LogEntry[][]
}

export function playInOrder(core: Core, job: Job, cluster: Cluster, logged: boolean): OneWorkerRun {
  const options = { seed: 1, replication: 0, phaseSpanUs: 0, inOrder: true, logWorkers: logged ? 1 : 0 }
  let simulation: Simulation | undefined
  try {
    simulation = new Simulation(core, job, cluster, options)
    simulation.run(job.templates)
    const records = simulation.records()
    const spanUs = new Float64Array(job.templates)
    for (let step = 0; step < job.templates; step++) spanUs[step] = records.endUs[step] - records.startUs[step]
    const log: LogEntry[][] = Array.from({ length: logged ? job.templates : 0 }, () => [])
    if (logged) for (const entry of simulation.log()) log[entry.step]?.push(fromStart(entry, records.startUs[entry.step]))
    return { spanUs, log }
  } catch (error) {
    throw reported(error, 1)
  } finally {
    simulation?.free()
  }
}

function fromStart(entry: LogEntry, startUs: number): LogEntry {
  entry.readyUs -= startUs
  entry.startUs -= startUs
  entry.wireEndUs -= startUs
  entry.endUs -= startUs
  return entry
}

/** The cluster in which the trace was taken, as the model sees it. */
export function tracedCluster(profile: Profile, transport: TransportName, path: Path): Cluster {
  const shape = {
    workers: 1,
    servers: Math.max(1, profile.servers.length),
    goodputBytesPerUs: path.goodputBytesPerUs,
    computeSlots: computeSlotsOf(profile),
    updateSlots: Math.max(defaults.serverCores.value, profile.concurrency.update),
    computeScale: 1,
    stepOverheadUs: defaults.stepOverheadUs.value
  }
  return buildCluster(shape, describeTransport(transport, path))
}

/** Mean over templates of |simulated − recorded| / recorded span. */
export function meanSpanError(spanUs: Float64Array, steps: Profile['steps']): number {
  return steps.reduce((sum, step, index) => sum + Math.abs(spanUs[index] - step.spanUs) / step.spanUs, 0) / steps.length
}
