import { readFileSync } from 'node:fs'
import esbuild from 'rollup-plugin-esbuild'

const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const dependencies = Object.keys(manifest.dependencies)

/** The command and the program of its simulation thread; what a command needs beyond its flags is loaded when it runs. */
export default {
  input: { foretrain: 'src/foretrain.ts', thread: 'src/io/thread.ts' },
  external: id => id.startsWith('node:') || dependencies.some(name => id === name || id.startsWith(`${name}/`)),
  plugins: [esbuild({ target: 'es2022' })],
  output: { dir: 'dist', format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name].js', sourcemap: true }
}
