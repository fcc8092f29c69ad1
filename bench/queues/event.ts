/** An event as it lies in memory, 16 bytes, and the order of all queues: time, then class and worker, then operation. */
export const TIME: i32 = 0
export const CLASS_WORKER: i32 = 8
export const OPERATION: i32 = 12
export const EVENT_BYTES: i32 = 16

/** Whether an event comes before that at `other`. */
export function comesBefore(time: f64, classWorker: i32, operation: i32, other: i32): bool {
  const otherTime = f64.load(other, TIME)
  if (time !== otherTime) return time < otherTime
  const otherClassWorker = i32.load(other, CLASS_WORKER)
  if (classWorker !== otherClassWorker) return classWorker < otherClassWorker
  return operation < i32.load(other, OPERATION)
}

/** Whether the event at `a` comes before that at `b`. */
export function before(a: i32, b: i32): bool {
  return comesBefore(f64.load(a, TIME), i32.load(a, CLASS_WORKER), i32.load(a, OPERATION), b)
}

export function put(at: i32, time: f64, classWorker: i32, operation: i32): void {
  f64.store(at, time, TIME)
  i32.store(at, classWorker, CLASS_WORKER)
  i32.store(at, operation, OPERATION)
}

export function move(from: i32, to: i32): void {
  put(to, f64.load(from, TIME), i32.load(from, CLASS_WORKER), i32.load(from, OPERATION))
}
