/** Reads the trace files that it is given to a profile: the program of the cold measurements. */
import { readProfile } from '@foretrain/trace-parser'
import { traceOnDisk } from './paths.mjs'

await readProfile(process.argv.slice(2).map(traceOnDisk))
