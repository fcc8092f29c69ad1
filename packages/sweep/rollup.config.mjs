import { library } from '../../scripts/rollup-library.mjs'

/** `thread` is the program of a worker thread. */
export default library({
  entries: { index: 'src/index.ts', local: 'src/local/index.ts', redis: 'src/redis/index.ts', thread: 'src/node/thread.ts' }
})
