/**
 * Orders vertices so that inputs come first; among those that are ready the smallest `rank` goes first, then the smallest number.
 * What hangs on a cycle is not ordered: `cyclic` holds it.
 */
export function sortTopologically(inputs: readonly number[][], rank?: ArrayLike<number>): { order: number[]; cyclic: number[] } {
  const count = inputs.length
  const dependents: number[][] = Array.from({ length: count }, () => [])
  const waiting = new Int32Array(count)
  inputs.forEach((list, vertex) => {
    waiting[vertex] = list.length
    for (const input of list) dependents[input].push(vertex)
  })
  const before = (a: number, b: number) => (rank === undefined || rank[a] === rank[b] ? a < b : rank[a] < rank[b])
  const ready = new Heap(before)
  for (let vertex = 0; vertex < count; vertex++) if (waiting[vertex] === 0) ready.push(vertex)
  const order: number[] = []
  for (let vertex = ready.pop(); vertex !== undefined; vertex = ready.pop()) {
    order.push(vertex)
    for (const dependent of dependents[vertex]) if (--waiting[dependent] === 0) ready.push(dependent)
  }
  const cyclic: number[] = []
  if (order.length < count) for (let vertex = 0; vertex < count; vertex++) if (waiting[vertex] > 0) cyclic.push(vertex)
  return { order, cyclic }
}

class Heap {
  private readonly items: number[] = []
  private readonly before: (a: number, b: number) => boolean

  constructor(before: (a: number, b: number) => boolean) {
    this.before = before
  }

  push(item: number): void {
    const { items, before } = this
    let at = items.push(item) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!before(item, items[parent])) break
      items[at] = items[parent]
      at = parent
    }
    items[at] = item
  }

  pop(): number | undefined {
    const { items, before } = this
    const top = items[0]
    const last = items.pop()
    if (last === undefined || items.length === 0) return top
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= items.length) break
      if (child + 1 < items.length && before(items[child + 1], items[child])) child++
      if (!before(items[child], last)) break
      items[at] = items[child]
      at = child
    }
    items[at] = last
    return top
  }
}
