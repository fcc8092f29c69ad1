import { instantiatePortable } from '../generated/portableCore.ts'
import { wasmBase64 } from '../generated/wasmBinary.ts'
import { Arena } from './arena.ts'

/** The functions of assembly/index.ts. Addresses are bytes in the core's memory. */
interface CoreFunctions {
  plan(sim: number): number
  initialise(sim: number): void
  run(sim: number, steps: number, maxEvents: number): number
  resetStatistics(sim: number): void
}

/** An instance of the core with its memory. Any number of simulations can live in one; it has no state of its own. */
export interface Core {
  readonly kind: 'WebAssembly' | 'JavaScript'
  /** Size of its memory, which grows with the simulations that are alive at once and never shrinks. */
  readonly memoryBytes: number
  /** @internal */
  readonly functions: CoreFunctions
  /** @internal The memory map: every constant that assembly/layout.ts exports. */
  readonly layout: Readonly<Record<string, number>>
  /** @internal */
  readonly arena: Arena
}

interface CoreMemory {
  readonly buffer: ArrayBuffer
  grow(pages: number): unknown
}

function makeCore(kind: Core['kind'], exports: Record<string, unknown>): Core {
  const memory = exports.memory as CoreMemory
  const layout: Record<string, number> = {}
  for (const [name, value] of Object.entries(exports)) {
    if (typeof value === 'number') layout[name] = value
    else if (value instanceof WebAssembly.Global) layout[name] = value.value
  }
  return {
    kind,
    get memoryBytes() {
      return memory.buffer.byteLength
    },
    functions: exports as unknown as CoreFunctions,
    layout,
    arena: new Arena(memory)
  }
}

let compiled: Promise<WebAssembly.Module> | undefined

/** The module of the WebAssembly build, compiled once per thread. It can be handed to other threads, which then need not compile it. */
export function compileCore(): Promise<WebAssembly.Module> {
  compiled ??= WebAssembly.compile(Uint8Array.from(atob(wasmBase64), character => character.charCodeAt(0)))
  return compiled
}

/**
 * A fresh instance of the WebAssembly build.
 *
 * @param module of `compileCore`, perhaps of another thread. Default: that of this thread
 */
export async function loadCore(module?: WebAssembly.Module): Promise<Core> {
  const instance = await WebAssembly.instantiate(module ?? (await compileCore()))
  return makeCore('WebAssembly', instance.exports)
}

/** The same source as JavaScript: identical bits, slower; for debugging, and where WebAssembly is not allowed. */
export async function loadPortableCore(): Promise<Core> {
  return makeCore('JavaScript', instantiatePortable())
}
