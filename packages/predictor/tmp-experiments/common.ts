import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { readProfile } from '@foretrain/trace-parser'
import { loadCore, Simulation } from '@foretrain/core-wasm'
import { compile, computeSlotsOf } from '/work/main/packages/predictor/src/compile/compile.ts'
import { playInOrder } from '/work/main/packages/predictor/src/calibrate/oneWorker.ts'
export async function loadCase(name: string) {
  const dir = `/work/main/examples/${name}`
  const c = JSON.parse(readFileSync(`${dir}/case.json`, 'utf8'))
  const files = readdirSync(`${dir}/trace`).sort().map(f => ({ name: f, bytes: (async function* () { yield new Uint8Array(readFileSync(`${dir}/trace/${f}`)) })() }))
  const { profile } = await readProfile(files)
  return { c, profile, compiled: compile(profile) }
}
export { loadCore, Simulation, compile, computeSlotsOf, playInOrder }
export function cluster(W: number, M: number, o: any = {}) {
  const C = o.C ?? 119.55, Cin = o.Cin ?? C, Cout = o.Cout ?? C
  return { workers: Array.from({ length: W }, (_, w) => ({ inBytesPerUs: o.wC ?? C, outBytesPerUs: o.wC ?? C, computeScale: o.scale?.[w] ?? 1, latencyUs: o.latency ?? 50 })),
    servers: Array.from({ length: M }, () => ({ outBytesPerUs: Cout, inBytesPerUs: Cin, updateScale: 1 })),
    computeSlots: o.slots ?? 2, updateSlots: 8,
    workerParse: { slots: 10, perByteUs: o.parse ?? 1e-4, fixedUs: o.fixed ?? 100 }, serverParse: { slots: 10, perByteUs: o.parse ?? 1e-4, fixedUs: o.fixed ?? 100 },
    turns: { first: o.W0 ?? Infinity, later: o.W1 ?? (o.W0 ?? Infinity) + 1048576 }, stepOverheadUs: o.overhead ?? 3000, ackFraction: o.ack ?? 0.0218, rampUs: { pull: o.rampPull ?? 0, push: o.rampPush ?? 0 } }
}
