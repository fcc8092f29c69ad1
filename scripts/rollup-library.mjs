import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import dts from 'rollup-plugin-dts'
import esbuild from 'rollup-plugin-esbuild'

/** The TypeScript type of a JSON value, written out. */
function typeOfJson(value) {
  if (Array.isArray(value)) return `readonly [${value.map(typeOfJson).join(', ')}]`
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `readonly ${JSON.stringify(key)}: ${typeOfJson(inner)}`)
    .join('; ')} }`
}

/** Declarations of imported JSON files, which rollup-plugin-dts does not make. */
const jsonDeclarations = {
  name: 'json-declarations',
  resolveId(source, importer) {
    // The plugin for declarations takes what ends like one.
    return source.endsWith('.json') ? `${join(dirname(importer), source)}.d.ts` : null
  },
  load(id) {
    if (!id.endsWith('.json.d.ts')) return null
    const value = JSON.parse(readFileSync(id.slice(0, -'.d.ts'.length), 'utf8'))
    return `declare const data: ${typeOfJson(value)};\nexport default data;`
  }
}

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
  const output = { dir: 'dist', format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunk-[hash].js' }
  return [
    {
      input: entries,
      external,
      plugins: [...plugins, esbuild({ target: 'es2022', loaders: { '.json': 'json' } })],
      output: { ...output, sourcemap: true }
    },
    { input: entries, external, plugins: [jsonDeclarations, dts()], output: { ...output, entryFileNames: '[name].d.ts' } }
  ]
}
