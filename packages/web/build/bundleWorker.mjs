import { rollup } from 'rollup'

/** The program of the web workers as one script without imports, so that it can also be started from a blob. */
export async function bundleWorker(input, plugins) {
  const bundle = await rollup({ input, plugins })
  const { output } = await bundle.generate({ format: 'iife', inlineDynamicImports: true })
  await bundle.close()
  return output[0].code
}
