import { render } from 'preact'
import { warmUp } from './actions.ts'
import { App } from './view/App.tsx'

render(<App />, document.getElementById('page')!)
addEventListener('load', () => setTimeout(() => void warmUp(), 0))
