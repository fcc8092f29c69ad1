import { createReadStream, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const examples = join(import.meta.dirname, '../../../examples')
const name = 'resnet50-1000'
const folder = join(examples, name)
/** The smallest recorded steps of all examples, of which the code that reads such files is tried out. */
const steps = ['run_metadata_000.pb.gz', 'run_metadata_001.pb.gz'].map(file => join(examples, 'alexnet-1000/trace', file))

/** The module `virtual:example`: the saved profile of a measured cluster and some recorded steps (gzip, base64), and its case document. */
export function example() {
  return {
    name: 'example',
    resolveId: id => (id === 'virtual:example' ? id : null),
    async load(id) {
      if (id !== 'virtual:example') return null
      const { readProfile, serializeProfile } = await import('@foretrain/trace-parser')
      const traces = join(folder, 'trace')
      const files = readdirSync(traces).sort()
      for (const file of files) this.addWatchFile(join(traces, file))
      const { profile } = await readProfile(files.map(file => ({ name: file, bytes: createReadStream(join(traces, file)) })))
      const packed = gzipSync(serializeProfile(profile), { level: 9 }).toString('base64')
      return [
        `export const name = ${JSON.stringify(name)}`,
        `export const profile = ${JSON.stringify(packed)}`,
        `export const recordedSteps = ${JSON.stringify(steps.map(file => readFileSync(file).toString('base64')))}`,
        `export const measured = ${JSON.stringify(readFileSync(join(folder, 'case.json'), 'utf8'))}`
      ].join('\n')
    }
  }
}
