/**
 * Compiles assembly/ twice: with the AssemblyScript compiler to WebAssembly, and, as the TypeScript that it also is, to JavaScript on top of
 * a few lines that stand in for memory access. Both land in generated/, which src/ imports.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { main as asc } from 'assemblyscript/asc'
import { build } from 'esbuild'

mkdirSync('generated', { recursive: true })

// Nothing is ever allocated by the core ("stub" runtime), and its few branches on capacity are explicit (no assertions).
const options = ['-O3', '--runtime', 'stub', '--noAssert', '--converge', '--outFile', 'generated/core.wasm']
const { error, stderr } = await asc(['assembly/index.ts', ...options])
if (error) {
  console.error(stderr.toString())
  process.exit(1)
}
const wasm = readFileSync('generated/core.wasm')
writeFileSync(
  'generated/wasmBinary.ts',
  `/** The compiled core, inlined so that it loads alike from Node, a bundle, a worker and a file:// page. */\nexport const wasmBase64 =\n  '${wasm.toString('base64')}'\n`
)

const { outputFiles } = await build({
  entryPoints: ['assembly/index.ts'],
  bundle: true,
  write: false,
  format: 'iife',
  globalName: 'core',
  target: 'es2022'
})
const shim = readFileSync('scripts/portable-memory.js', 'utf8')
writeFileSync(
  'generated/portableCore.ts',
  `// @ts-nocheck\n/* biome-ignore-all lint: generated */\nexport function instantiatePortable() {\n${shim}\n${outputFiles[0].text}\nreturn { ...core, memory: portableMemory }\n}\n`
)
