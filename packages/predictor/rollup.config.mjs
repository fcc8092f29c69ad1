import { library } from '../../scripts/rollup-library.mjs'

export default library({ entries: { index: 'src/index.ts', text: 'src/text/index.ts' } })
