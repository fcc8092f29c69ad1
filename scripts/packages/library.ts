/** Calls the packages as a stranger's program would: compiled strictly by check.mjs, and run as it is, without its types, by Node. */
import { readFile } from 'node:fs/promises'
import { predict } from '@foretrain/predictor'
import { readProfile, type TraceFile } from '@foretrain/trace-parser'

async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  yield await readFile(path)
}

const files: TraceFile[] = process.argv.slice(2).map(path => ({ name: path, bytes: bytesOf(path) }))
const { profile } = await readProfile(files)
const { points } = await predict({ profile, workers: [1, 2], fixed: { replications: 2, steps: 4 } })
const means: number[] = points.map(point => point.stepsPerSecond.mean)
console.log(means.join(' '))
