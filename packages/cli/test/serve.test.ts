import { spawn } from 'node:child_process'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PageServer, servePage } from '../src/io/pageServer.ts'

const command = join(import.meta.dirname, '../dist/foretrain.js')

describe('the server of the page', () => {
  let page: PageServer
  beforeAll(async () => {
    page = await servePage(0)
  })
  afterAll(() => page.server.close())

  const get = (path: string, init?: RequestInit) => fetch(new URL(path, page.address), init)

  it('serves the page to this machine alone, with its policy as a header', async () => {
    expect(page.address).toMatch(/^http:\/\/127\.0\.0\.1:[0-9]+\/$/)
    expect(page.server.address()).toMatchObject({ address: '127.0.0.1' })
    const response = await get('/')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    const policy = response.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("connect-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'/)
    expect(await response.text()).toContain('<title>foretrain</title>')
  })

  it('serves every file that the page asks for, as what it is', async () => {
    const html = await (await get('/')).text()
    const paths = [...html.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(([, path]) => path)
    expect(paths.length).toBeGreaterThanOrEqual(3)
    for (const path of paths) {
      const response = await get(path)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toMatch(path.endsWith('.css') ? /^text\/css/ : /^text\/javascript/)
      expect(response.headers.get('cache-control')).toContain('immutable')
    }
    expect((await get('/foretrain.html')).headers.get('content-security-policy')).toBe("frame-ancestors 'none'")
  })

  it('packs for whoever takes it, and answers HEAD with the same lengths', async () => {
    const plain = await get('/', { headers: { 'Accept-Encoding': 'identity' } })
    expect(plain.headers.get('content-encoding')).toBeNull()
    const head = await get('/', { method: 'HEAD', headers: { 'Accept-Encoding': 'identity' } })
    expect(head.headers.get('content-length')).toBe(plain.headers.get('content-length'))
    const packed = await get('/', { headers: { 'Accept-Encoding': 'gzip' } })
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    expect(await packed.text()).toBe(await plain.text())
  })

  /** The path as it stands: a client that follows the rules would shorten it. */
  const statusOf = (path: string, hostHeader?: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const { port } = new URL(page.address)
      const headers = hostHeader === undefined ? {} : { host: hostHeader.replace('PORT', port) }
      const sent = request({ host: '127.0.0.1', port, path, headers }, response => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.once('error', reject).end()
    })

  it.each(['/nothing', '/../package.json', '/%2e%2e/package.json', '/assets/', '/assets/../../package.json', '//etc/passwd'])(
    'has nothing else: %s',
    async path => {
      expect(await statusOf(path)).toBe(404)
    }
  )

  it.each(['127.0.0.1:PORT', 'localhost:PORT', 'LOCALHOST:PORT', '[::1]:PORT', 'localhost:9000', 'localhost'])(
    'answers who names this machine: %s',
    async host => {
      expect(await statusOf('/', host)).toBe(200)
    }
  )

  it.each([
    'attacker.example',
    'attacker.example:PORT',
    'localhost.attacker.example:PORT',
    '127.0.0.1.nip.io:PORT',
    'x@localhost:PORT'
  ])('refuses names that lead here from elsewhere: %s', async host => {
    expect(await statusOf('/', host)).toBe(403)
  })

  it('only reads', async () => {
    const response = await get('/', { method: 'POST', body: 'x' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD')
  })
})

/** Runs `foretrain serve` until `until` has seen enough of its standard output, or it ends. */
async function run(
  words: string[],
  until: (output: string) => boolean
): Promise<{ output: string; errors: string; code: number | null }> {
  const child = spawn(process.execPath, [command, 'serve', ...words])
  let output = ''
  let errors = ''
  child.stdout.on('data', chunk => {
    output += chunk
    if (until(output)) child.kill('SIGINT')
  })
  child.stderr.on('data', chunk => {
    errors += chunk
  })
  const code = await new Promise<number | null>(resolve => child.once('close', resolve))
  return { output, errors, code }
}

describe('foretrain serve', () => {
  it('prints its address as the first line, and ends when it is interrupted', async () => {
    const { output, code } = await run(['--port', '0'], text => text.includes('\n'))
    expect(output).toMatch(/^http:\/\/127\.0\.0\.1:[0-9]+\/\n$/)
    expect(code).toBe(130)
  })

  it('says when the port is taken', async () => {
    const other = createServer()
    await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as { port: number }
    const { output, errors, code } = await run(['--port', String(port)], () => true)
    other.close()
    expect({ output, code }).toEqual({ output: '', code: 1 })
    expect(errors).toBe(`foretrain: port ${port} is in use: choose another with --port, or --port 0 for any that is free\n`)
  })

  it.each(['x', '-1', '65536', '1.5'])('refuses --port %s', async port => {
    const { errors, code } = await run([`--port=${port}`], () => true)
    expect(code).toBe(2)
    expect(errors).toBe(`foretrain: --port "${port}": must be a whole number between 0 and 65535\n`)
  })
})
