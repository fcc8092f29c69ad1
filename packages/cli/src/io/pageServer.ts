import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { dirname, extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { describeSystemError, InputError } from '../errors.ts'

const host = '127.0.0.1'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8'
}

interface ServedFile {
  bytes: Buffer
  /** Of the same bytes. */
  packed: Buffer
  headers: Record<string, string>
}

export interface PageServer {
  server: Server
  /** "http://127.0.0.1:8747/" */
  address: string
}

/**
 * Serves the built page to this machine alone.
 *
 * @param port 0 for any that is free
 * @throws InputError when the page was not built, or the port cannot be had
 */
export async function servePage(port: number): Promise<PageServer> {
  const files = readPage()
  const server = createServer((request, response) => answer(files, request, response))
  await new Promise<void>((resolve, reject) => {
    server.once('error', error => reject(new InputError(portProblem(error, port))))
    server.listen(port, host, resolve)
  })
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('a listening server has no port')
  return { server, address: `http://${host}:${bound.port}/` }
}

function portProblem(error: NodeJS.ErrnoException, port: number): string {
  if (error.code === 'EADDRINUSE') return `port ${port} is in use: choose another with --port, or --port 0 for any that is free`
  if (error.code === 'EACCES') return `port ${port} is not for everybody: choose one from 1024 up with --port`
  return `port ${port}: ${describeSystemError(error)}`
}

/** Path → file. All of the page is read once, so that no request reaches the disk. */
function readPage(): Map<string, ServedFile> {
  const index = fileURLToPath(import.meta.resolve('@foretrain/web/index.html'))
  const folder = dirname(index)
  try {
    const policy = policyOf(readFileSync(index, 'utf8'))
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(path => extname(path) in types)
    const files = paths.map((path): [string, ServedFile] => {
      const bytes = readFileSync(join(folder, path))
      return [`/${relative(folder, join(folder, path)).split(sep).join('/')}`, serve(path, bytes, policy)]
    })
    const served = new Map(files)
    return served.set('/', served.get('/index.html')!)
  } catch (error) {
    throw new InputError(`the page is not there: ${describeSystemError(error, index)}; build it with npm run build`)
  }
}

function serve(path: string, bytes: Buffer, policy: string): ServedFile {
  const isPage = extname(path) === '.html'
  const headers = {
    'Content-Type': types[extname(path)],
    // Names of assets carry a hash of their content.
    'Cache-Control': isPage ? 'no-cache' : 'public, max-age=31536000, immutable',
    // The one-file page has a policy of its own within; only a header can say who may frame it.
    'Content-Security-Policy': `${path === 'foretrain.html' ? '' : `${policy}; `}frame-ancestors 'none'`,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    Vary: 'Accept-Encoding'
  }
  return { bytes, packed: gzipSync(bytes), headers }
}

/** What the page itself asks for. */
function policyOf(html: string): string {
  return /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1] ?? "default-src 'none'"
}

/**
 * A site may point its own name at 127.0.0.1 and then reads what is served there as its own (DNS rebinding); the Host header still has its name.
 * The port is any: a tunnel (`ssh -L`) may end at another.
 */
function isThisMachine(hostHeader: string | undefined): boolean {
  return /^(127\.0\.0\.1|localhost|\[::1\])(:[0-9]{1,5})?$/i.test(hostHeader ?? '')
}

function answer(files: Map<string, ServedFile>, request: IncomingMessage, response: ServerResponse): void {
  const plain = { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { ...plain, Allow: 'GET, HEAD' }).end('only GET and HEAD\n')
    return
  }
  if (!isThisMachine(request.headers.host)) {
    response.writeHead(403, plain).end('only for this machine: open http://127.0.0.1 or http://localhost with the port\n')
    return
  }
  const [path] = (request.url ?? '/').split(/[?#]/)
  const file = files.get(path)
  if (file === undefined) {
    response.writeHead(404, plain).end('no such file\n')
    return
  }
  const wantsGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
  const body = wantsGzip ? file.packed : file.bytes
  response.writeHead(200, { ...file.headers, ...(wantsGzip && { 'Content-Encoding': 'gzip' }), 'Content-Length': body.length })
  response.end(request.method === 'HEAD' ? undefined : body)
}
