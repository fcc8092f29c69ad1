import { rmSync } from 'node:fs'
import { join } from 'node:path'
import resolve from '@rollup/plugin-node-resolve'
import esbuild from 'rollup-plugin-esbuild'
import { bundleWorker } from './build/bundleWorker.mjs'
import { example } from './build/example.mjs'
import { manyFiles, oneFile } from './build/page.mjs'

const plugins = [resolve(), esbuild({ target: 'es2022', minify: true, jsx: 'automatic', jsxImportSource: 'preact' })]

/** Two builds of one page: files for a server, and a single file that works from a disk. */
export default async () => {
  // Names of assets change with their content: those of the build before would stay.
  rmSync(join(import.meta.dirname, 'dist'), { recursive: true, force: true })
  const worker = await bundleWorker('src/worker/worker.ts', plugins)
  return [
    {
      input: { main: 'src/main.tsx' },
      plugins: [example(), ...plugins, manyFiles({ worker })],
      output: {
        dir: 'dist',
        format: 'es',
        entryFileNames: 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/[name]-[hash].js'
      }
    },
    {
      input: { main: 'src/main.tsx' },
      plugins: [example(), ...plugins, oneFile({ worker, fileName: 'foretrain.html' })],
      output: { dir: 'dist', format: 'es', inlineDynamicImports: true }
    }
  ]
}
