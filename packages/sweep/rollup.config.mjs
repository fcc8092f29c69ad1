import { library } from '../../scripts/rollup-library.mjs'

/** `thread` is the program of a worker thread; everything of Redis is loaded only when it is used. */
export default library({ entries: { index: 'src/index.ts', local: 'src/local/index.ts', thread: 'src/node/thread.ts' } })
