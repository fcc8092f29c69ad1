/** Memory that a queue takes piece by piece and never gives back. */
let end: i32 = 0

/** Everything from `address` on is free. */
export function startAt(address: i32): void {
  end = (address + 7) & -8
}

/** The address of so many bytes, of no particular content. */
export function take(bytes: i32): i32 {
  const address = end
  end += (bytes + 7) & -8
  const missing = end - (memory.size() << 16)
  if (missing > 0) memory.grow((missing + 65535) >> 16)
  return address
}
