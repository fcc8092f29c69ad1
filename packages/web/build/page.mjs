import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'

const source = join(import.meta.dirname, '../src')
const workerModule = 'virtual:worker'

/** What the page may do, wherever it lies: run its own scripts and WebAssembly, draw, and connect to nothing. */
function policy({ scripts, styles, workers }) {
  return [
    "default-src 'none'",
    `script-src ${scripts} 'wasm-unsafe-eval'`,
    `style-src ${styles}`,
    'img-src data: blob:',
    `worker-src ${workers}`,
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'"
  ].join('; ')
}

async function styleSheet() {
  const folder = join(source, 'style')
  const parts = readdirSync(folder)
    .sort()
    .map(file => readFileSync(join(folder, file), 'utf8'))
  const { code } = await transform(parts.join('\n'), { loader: 'css', minify: true })
  return code
}

function html(parts) {
  const template = readFileSync(join(source, 'index.html'), 'utf8')
  return template.replace(/<!-- (policy|style|scripts) -->/g, (_, part) => parts[part])
}

const shortHash = text => createHash('sha256').update(text).digest('hex').slice(0, 8)
const cspHash = text => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
/** The same program, without what would end its element in a document early. */
const withinScript = code => code.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')

function provide(code) {
  return {
    resolveId: id => (id === workerModule ? id : null),
    load: id => (id === workerModule ? code : null)
  }
}

/** index.html with its assets beside it. All of them are fetched while the page loads, the example too. */
export function manyFiles({ worker }) {
  const workerFile = `worker-${shortHash(worker)}.js`
  return {
    name: 'many-files',
    ...provide(`export const workerUrl = () => new URL('./${workerFile}', import.meta.url).href`),
    async generateBundle(_options, bundle) {
      const style = await styleSheet()
      const styleFile = `assets/style-${shortHash(style)}.css`
      const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk')
      const main = chunks.find(({ isEntry }) => isEntry)
      const later = chunks.filter(chunk => chunk !== main)
      this.emitFile({ type: 'asset', fileName: `assets/${workerFile}`, source: worker })
      this.emitFile({ type: 'asset', fileName: styleFile, source: style })
      this.emitFile({
        type: 'asset',
        fileName: 'index.html',
        source: html({
          policy: policy({ scripts: "'self'", styles: "'self'", workers: "'self'" }),
          style: `<link rel="stylesheet" href="${styleFile}">`,
          scripts: [
            `<script type="module" src="${main.fileName}"></script>`,
            ...later.map(({ fileName }) => `<link rel="modulepreload" fetchpriority="low" href="${fileName}">`)
          ].join('\n')
        })
      })
    }
  }
}

/** Everything in one document. Its scripts are allowed by their hashes; workers start from a blob. */
export function oneFile({ worker, fileName }) {
  const startFromBlob = `
    let url
    export const workerUrl = () => (url ??= URL.createObjectURL(
      new Blob([document.getElementById('worker').textContent], { type: 'text/javascript' })))`
  return {
    name: 'one-file',
    ...provide(startFromBlob),
    async generateBundle(_options, bundle) {
      const style = await styleSheet()
      const [main] = Object.values(bundle).map(({ code }) => withinScript(code))
      for (const file of Object.keys(bundle)) delete bundle[file]
      const source = html({
        policy: policy({ scripts: cspHash(main), styles: cspHash(style), workers: 'blob:' }),
        style: `<style>${style}</style>`,
        // A program in an element of this type is text until a worker runs it.
        scripts: `<script type="text/plain" id="worker">${withinScript(worker)}</script>\n<script type="module">${main}</script>`
      })
      this.emitFile({ type: 'asset', fileName, source })
    }
  }
}
