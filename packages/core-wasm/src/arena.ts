/** Hands out blocks of a growing linear memory: first fit, neighbours merged on release. Blocks are zeroed and aligned to 8 bytes. */
export class Arena {
  /** Ascending, never adjacent. */
  private readonly free: Array<{ address: number; bytes: number }> = []
  private readonly taken = new Map<number, number>()
  private end: number

  constructor(private readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): unknown }) {
    // Address 0 stays unused: it means "none".
    this.end = 8
  }

  /** The memory as it is now; views over it are void after the next allocate(). */
  get buffer(): ArrayBuffer {
    return this.memory.buffer
  }

  /** Address of a zeroed block. Throws RangeError when the memory cannot grow (2 GiB). */
  allocate(bytes: number): number {
    const size = Math.max(8, Math.ceil(bytes / 8) * 8)
    const at = this.free.findIndex(block => block.bytes >= size)
    let address: number
    if (at >= 0) {
      const block = this.free[at]
      address = block.address
      if (block.bytes === size) this.free.splice(at, 1)
      else this.free[at] = { address: block.address + size, bytes: block.bytes - size }
    } else {
      address = this.extend(size)
    }
    this.taken.set(address, size)
    new Uint8Array(this.buffer, address, size).fill(0)
    return address
  }

  release(address: number): void {
    const size = this.taken.get(address)
    if (size === undefined) throw new Error(`no block at ${address}`)
    this.taken.delete(address)
    const at = this.free.findIndex(block => block.address > address)
    const index = at < 0 ? this.free.length : at
    this.free.splice(index, 0, { address, bytes: size })
    this.mergeWithNext(index)
    if (index > 0) this.mergeWithNext(index - 1)
    const last = this.free[this.free.length - 1]
    if (last.address + last.bytes === this.end) {
      this.end = last.address
      this.free.pop()
    }
  }

  private mergeWithNext(index: number): void {
    const block = this.free[index]
    const next = this.free[index + 1]
    if (next !== undefined && block.address + block.bytes === next.address) {
      block.bytes += next.bytes
      this.free.splice(index + 1, 1)
    }
  }

  private extend(size: number): number {
    const address = this.end
    const needed = address + size
    if (needed > 2 ** 31 - 65536) throw new RangeError(`the simulation needs ${needed} bytes: at most 2 GiB can be addressed`)
    const missing = needed - this.buffer.byteLength
    if (missing > 0) this.memory.grow(Math.ceil(missing / 65536))
    this.end = needed
    return address
  }
}
