import { readFileSync } from 'node:fs'
import dts from 'rollup-plugin-dts'
import esbuild from 'rollup-plugin-esbuild'

/**
 * The rollup configuration that every library package shares: one ES module and one declaration file per entry, built from src/,
 * with everything in `dependencies` left external.
 *
 * @param {{ entries?: Record<string, string>, plugins?: import('rollup').Plugin[] }} [options] output name → source file
 * @returns {import('rollup').RollupOptions[]}
 */
export function library({ entries = { index: 'src/index.ts' }, plugins = [] } = {}) {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
  const dependencies = Object.keys(manifest.dependencies ?? {})
  const external = id => id.startsWith('node:') || dependencies.some(name => id === name || id.startsWith(`${name}/`))
  const output = { dir: 'dist', format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunk-[name].js' }
  return [
    {
      input: entries,
      external,
      plugins: [...plugins, esbuild({ target: 'es2022', loaders: { '.json': 'json' } })],
      output: { ...output, sourcemap: true }
    },
    {
      input: entries,
      external,
      plugins: [dts()],
      output: { ...output, entryFileNames: '[name].d.ts', chunkFileNames: 'chunk-[hash].d.ts' }
    }
  ]
}
