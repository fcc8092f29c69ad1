/**
 * FIFO stations with several slots. The service time is known on arrival, so the end is known too: start = max(arrival, when the first
 * slot is free). No queue is kept and no event is spent on the slot.
 */

/** Takes the slot that is free first among `count` at `slots` (f64 each) from max(arrival, then) for `serviceUs`; returns the start. */
export function occupy(slots: i32, count: i32, arrivalUs: f64, serviceUs: f64): f64 {
  let best = slots
  let free = f64.load(slots)
  for (let i = 1; i < count; i++) {
    const other = f64.load(slots + 8 * i)
    if (other < free) {
      free = other
      best = slots + 8 * i
    }
  }
  const start = arrivalUs > free ? arrivalUs : free
  f64.store(best, start + serviceUs)
  return start
}
