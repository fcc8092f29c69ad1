import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { connect, createServer } from 'node:net'

/** Whether there is a redis-server; as root it is installed from Debian's package. With CI=true there must be one. */
export function findRedisServer(): boolean {
  const isThere = () => spawnSync('redis-server', ['--version']).status === 0
  if (!isThere() && process.getuid?.() === 0) {
    // Other files of tests may be installing something too.
    const get = (...words: string[]) =>
      spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=600', '-yqq', ...words], { stdio: 'ignore' })
    get('update')
    get('install', '--no-install-recommends', 'redis-server')
  }
  if (isThere()) return true
  if (process.env.CI === 'true') throw new Error('redis-server is missing and could not be installed')
  console.warn('skipped: tests over Redis need redis-server on the PATH (Debian: apt-get install redis-server)')
  return false
}

/** A server of the test's own on a free port, which writes all it is told into its append-only file before it answers. */
export class RedisServer {
  readonly url: string
  readonly #port: number
  readonly #folder: string
  #process: ChildProcess | undefined

  private constructor(port: number, folder: string) {
    this.#port = port
    this.#folder = folder
    this.url = `redis://127.0.0.1:${port}`
  }

  static async start(folder: string, ...more: string[]): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), folder)
    await server.start(...more)
    return server
  }

  async start(...more: string[]): Promise<void> {
    const options = ['--bind', '127.0.0.1', '--dir', this.#folder, '--save', '', '--appendonly', 'yes', '--appendfsync', 'always']
    this.#process = spawn('redis-server', ['--port', String(this.#port), ...options, ...more], { stdio: 'ignore' })
    for (let tries = 0; !(await this.#answers()); tries++) {
      if (tries === 200 || this.#process.exitCode !== null) throw new Error('redis-server does not start')
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }

  async stop(): Promise<void> {
    const child = this.#process
    if (child === undefined || child.exitCode !== null) return
    const ended = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  }

  /** A loading server answers with an error; one that asks for a password too, and that is enough. */
  #answers(): Promise<boolean> {
    return new Promise(resolve => {
      const socket = connect(this.#port, '127.0.0.1', () => socket.write('PING\r\n'))
      socket.once('data', answer => {
        socket.destroy()
        resolve(/PONG|NOAUTH/.test(answer.toString()))
      })
      socket.once('error', () => resolve(false))
    })
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no port'))))
    })
  })
}
