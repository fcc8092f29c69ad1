/**
 * FIFO stations with several slots. The service time is known on arrival, so the end is known too: start = max(arrival, when the first
 * slot is free). No queue is kept and no event is spent on the slot.
 *
 * A station of n slots is n + 1 doublewords: the index of the slot that is free first, then a ring of the times when each is free, ascending
 * from that slot on. Slots are alike, so which of them is which does not matter. Most ends are later than all before, and go to the ring's end as
 * they are.
 */

/** Bytes of a station. */
export function stationBytes(slots: i32): i32 {
  return 8 * (slots + 1)
}

/** Takes the slot that is free first among the `count` of the station from max(arrival, then) for `serviceUs`; returns the start. */
export function occupy(station: i32, count: i32, arrivalUs: f64, serviceUs: f64): f64 {
  const ring = station + 8
  const first = i32.load(station)
  const free = f64.load(ring + 8 * first)
  const start = arrivalUs > free ? arrivalUs : free
  const end = start + serviceUs
  const next = first + 1 < count ? first + 1 : 0
  i32.store(station, next)
  let i = first
  while (i !== next) {
    const before = i > 0 ? i - 1 : count - 1
    const other = f64.load(ring + 8 * before)
    if (other <= end) break
    f64.store(ring + 8 * i, other)
    i = before
  }
  f64.store(ring + 8 * i, end)
  return start
}
