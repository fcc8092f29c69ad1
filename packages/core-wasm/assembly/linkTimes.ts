/** Links in the order of their next end of a turn: a binary heap of link numbers that knows where each link stands, so that a changed time is one re-key. */
import { LINK_BYTES, LINK_NEXT, LINK_TIME_POSITION, SIM_LINK, SIM_LINK_TIME_COUNT, SIM_LINK_TIMES } from './layout'

function place(sim: i32, position: i32, link: i32): void {
  i32.store(i32.load(sim, SIM_LINK_TIMES) + 4 * position, link)
  i32.store(i32.load(sim, SIM_LINK) + link * LINK_BYTES, position, LINK_TIME_POSITION)
}

function at(sim: i32, position: i32): i32 {
  return i32.load(i32.load(sim, SIM_LINK_TIMES) + 4 * position)
}

function nextOf(sim: i32, link: i32): f64 {
  return f64.load(i32.load(sim, SIM_LINK) + link * LINK_BYTES, LINK_NEXT)
}

function earlier(sim: i32, a: i32, b: i32): bool {
  const timeA = nextOf(sim, a)
  const timeB = nextOf(sim, b)
  return timeA < timeB || (timeA === timeB && a < b)
}

/** The link whose turn ends next. All links stand in the heap, idle ones with time Infinity. */
export function firstLink(sim: i32): i32 {
  return at(sim, 0)
}

export function initialiseLinkTimes(sim: i32, links: i32): void {
  i32.store(sim, links, SIM_LINK_TIME_COUNT)
  for (let link = 0; link < links; link++) place(sim, link, link)
}

export function setNext(sim: i32, link: i32, time: f64): void {
  const address = i32.load(sim, SIM_LINK) + link * LINK_BYTES
  const old = f64.load(address, LINK_NEXT)
  if (time === old) return
  f64.store(address, time, LINK_NEXT)
  const count = i32.load(sim, SIM_LINK_TIME_COUNT)
  let i = i32.load(address, LINK_TIME_POSITION)
  if (time < old) {
    while (i > 0) {
      const parent = (i - 1) >> 1
      const other = at(sim, parent)
      if (!earlier(sim, link, other)) break
      place(sim, i, other)
      i = parent
    }
  } else {
    while (true) {
      let child = 2 * i + 1
      if (child >= count) break
      if (child + 1 < count && earlier(sim, at(sim, child + 1), at(sim, child))) child++
      const other = at(sim, child)
      if (earlier(sim, link, other)) break
      place(sim, i, other)
      i = child
    }
  }
  place(sim, i, link)
}
