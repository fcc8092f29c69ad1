import { library } from '../../scripts/rollup-library.mjs'

export default library()
