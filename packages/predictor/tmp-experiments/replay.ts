import { loadCase, loadCore, cluster, playInOrder, computeSlotsOf } from './common.ts'
const core = await loadCore()
for (const name of process.argv.slice(2)) {
  const { c, profile, compiled } = await loadCase(name)
  const C = parseFloat(c.bandwidth) / 8 * c.link.payloadFraction
  console.log(name, 'C', C.toFixed(2), 'ops', compiled.job.operations, 'slots', computeSlotsOf(profile), 'largest', Math.max(...profile.operations.map(o => o.bytes)))
  for (const f of [1, 1.03]) for (const W0 of [4, 8, 16, 32, 64, Infinity]) {
    const w = W0 * 1048576 - 300
    if (W0 !== Infinity && w > Math.max(...profile.operations.map(o => o.bytes))) continue
    const run = playInOrder(core, compiled.job, cluster(1, profile.servers.length, { C: C * f, W0: w, slots: computeSlotsOf(profile) }), true)
    const err: any = { 2: [], 3: [] }, bias: any = { 2: [], 3: [] }; let span = 0, spanAbs = 0
    run.log.forEach((log, t) => { for (const e of log) { const k = compiled.job.kind[e.operation]; if (k !== 2 && k !== 3) continue; const id = compiled.operationOf[e.operation].at(-1)!; const d = e.endUs - profile.steps[t].endUs[id]; err[k].push(Math.abs(d)); bias[k].push(d) }
      const r = run.spanUs[t] / profile.steps[t].spanUs - 1; span += r; spanAbs += Math.abs(r) })
    const m = (a: number[]) => (a.reduce((x, y) => x + y, 0) / a.length / 1000).toFixed(1)
    console.log(' f', f, 'W0', W0, 'pull err ms', m(err[2]), 'bias', m(bias[2]), 'push err', m(err[3]), 'bias', m(bias[3]), 'span bias %', (100 * span / run.log.length).toFixed(2), 'abs', (100 * spanAbs / run.log.length).toFixed(2))
  }
}
