import { render } from 'preact'
import { App } from './view/App.tsx'

render(<App />, document.getElementById('page')!)
