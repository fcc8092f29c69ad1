import { loadCase, loadCore, cluster, playInOrder, computeSlotsOf } from './common.ts'
const core = await loadCore()
const [name, tmpl, kind, minB] = process.argv.slice(2)
const { c, profile, compiled } = await loadCase(name)
const C = parseFloat(c.bandwidth) / 8 * c.link.payloadFraction
const t = +tmpl, step = profile.steps[t]
const sims = [4, 8, 1e9].map(W0 => { const m = new Map(); playInOrder(core, compiled.job, cluster(1, profile.servers.length, { C, W0: W0 * 1048576 - 300, slots: computeSlotsOf(profile), ack: 0 }), true).log[t].forEach(e => m.set(compiled.operationOf[e.operation].at(-1), e)); return m })
let cum = 0
profile.operations.map((o, i) => ({ o, i })).filter(x => x.o.kind === kind).sort((a, b) => step.startUs[a.i] - step.startUs[b.i]).forEach(({ o, i }) => { cum += o.bytes; if (o.bytes >= +minB) console.log(o.name.slice(-34).padEnd(34), String(o.bytes).padStart(9), 's', (step.startUs[i] / 1e3).toFixed(1), 'rec', (step.endUs[i] / 1e3).toFixed(1), 'fifo', ((step.startUs[i]+0)/1e3).toFixed(0), 'cum', (cum / C / 1e3).toFixed(1), 'sim4', (sims[0].get(i)?.endUs / 1e3).toFixed(1), '8', (sims[1].get(i)?.endUs / 1e3).toFixed(1), 'inf', (sims[2].get(i)?.endUs / 1e3).toFixed(1)) })
console.log('span', step.spanUs / 1e3)
