/** Events of small timelines. */

/** `otherData` of a timeline of foretrain with four operations. */
export const FORETRAIN = { schema: 'foretrain/timeline@1', operations: 4 }

type OwnEvent = {
  name: string
  cat: string
  ph: string
  ts: number
  dur: number
  pid: number
  tid: number
  args: Record<string, unknown>
}

/** A step as `foretrain timeline` writes it: a pull, compute, the push of its result, the update. Steps are 1000 µs apart. */
export function foretrainEvents(step = 0): OwnEvent[] {
  const t = 1000 * step
  const common = { step, template: 0, worker: 0 }
  const event = (name: string, cat: string, ts: number, dur: number, args: object): OwnEvent => ({
    ...{ name, cat, ph: 'X', ts: t + ts, dur, pid: 1, tid: 1 },
    args: { ...args, ...common }
  })
  const transfer = { op: 'RecvTensor', server: 0, bytes: 4000 }
  return [
    event('step', 'step', 0, 430, {}),
    event('w/read', 'pull', 20, 40, { name: 'w/read', id: 0, dependencies: [], ...transfer, readyUs: t + 10, endUs: t + 90 }),
    event('grad', 'compute', 100, 200.125, { name: 'grad', op: 'MatMul', id: 1, dependencies: [0] }),
    event('wait', 'wait', 10, 10, { name: 'w/read' }),
    event('w/read', 'parse', 70, 20, { name: 'w/read' }),
    event('grad', 'push', 300.125, 40, {
      name: 'grad',
      id: 2,
      dependencies: [1],
      ...transfer,
      readyUs: t + 300.125,
      endUs: t + 380
    }),
    event('apply', 'update', 400, 30, { name: 'apply', op: 'ApplyGradientDescent', id: 3, server: 0, dependencies: [2] })
  ]
}

/** A step as TensorFlow's timeline.py writes it. */
export function tensorFlowEvents(): Array<Record<string, unknown>> {
  const device = (pid: number, name: string) => ({ ph: 'M', name: 'process_name', pid, args: { name } })
  const ran = (pid: number, ts: number, dur: number, args: Record<string, string>) => ({
    ...{ name: args.op, args, pid, ts: 1496956793224680 + ts, cat: 'Op', tid: 0, ph: 'X', dur }
  })
  return [
    device(0, 'Allocators'),
    device(1, '/job:worker/replica:0/task:0/cpu:0 Compute'),
    device(2, '/job:worker/replica:0/task:0/cpu:0 Tensors'),
    device(3, '/job:ps/replica:0/task:0/cpu:0 Compute'),
    ran(1, 0, 22, { name: '_SOURCE', op: 'NoOp' }),
    ran(1, 220, 50, { input10: '^init', name: 'grad', op: 'MatMul', input1: 'x', input0: 'w/read_S11' }),
    ran(3, 320, 5, { name: 'apply', op: 'ApplyGradientDescent' }),
    { ph: 's', id: 1, pid: 1, tid: 0, ts: 1496956793224680, cat: 'DataFlow', name: 'x' },
    { ph: 'O', id: 1, pid: 2, tid: 0, ts: 1496956793224680, cat: 'Tensor', name: 'x' }
  ]
}
