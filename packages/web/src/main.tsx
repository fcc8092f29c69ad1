import { render } from 'preact'
import { followAddress } from './actions/link.ts'
import { warmUp } from './actions/open.ts'
import { App } from './view/App.tsx'

followAddress()
render(<App />, document.getElementById('page')!)
addEventListener('load', () => setTimeout(() => void warmUp(), 0))
