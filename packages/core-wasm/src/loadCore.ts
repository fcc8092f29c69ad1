/** An instance of the core with its memory; several simulations can live in one. */
export interface Core {
  readonly memoryBytes: number
}
/** The WebAssembly build. Compiles the module once per thread. */
export async function loadCore(): Promise<Core> {
  throw new Error('not yet')
}
/** The same source as JavaScript: identical bits, slower; for debugging, and where WebAssembly is not allowed. */
export async function loadPortableCore(): Promise<Core> {
  throw new Error('not yet')
}
