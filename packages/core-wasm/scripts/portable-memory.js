// What AssemblyScript's memory instructions mean in JavaScript. Every access in assembly/ is aligned to its size.
let buffer = new ArrayBuffer(0)
let bytes = new Uint8Array(buffer)
let halves = new Uint16Array(buffer)
let words = new Int32Array(buffer)
let doubles = new Float64Array(buffer)
const i32 = value => value | 0
i32.load = (address, offset = 0) => words[(address + offset) >>> 2]
i32.load8_u = (address, offset = 0) => bytes[address + offset]
i32.load16_u = (address, offset = 0) => halves[(address + offset) >>> 1]
i32.store = (address, value, offset = 0) => {
  words[(address + offset) >>> 2] = value
}
i32.store16 = (address, value, offset = 0) => {
  halves[(address + offset) >>> 1] = value
}
const f64 = value => value
f64.load = (address, offset = 0) => doubles[(address + offset) >>> 3]
f64.store = (address, value, offset = 0) => {
  doubles[(address + offset) >>> 3] = value
}
const memory = { copy: (to, from, length) => bytes.copyWithin(to, from, from + length) }
const portableMemory = {
  get buffer() {
    return buffer
  },
  grow(pages) {
    const larger = new ArrayBuffer(buffer.byteLength + pages * 65536)
    new Uint8Array(larger).set(bytes)
    buffer = larger
    bytes = new Uint8Array(buffer)
    halves = new Uint16Array(buffer)
    words = new Int32Array(buffer)
    doubles = new Float64Array(buffer)
  }
}
