/** Sweeps over a real Redis, with `foretrain work` as processes. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { smallProfile } from './support/profile.ts'
import { findRedisServer, RedisServer } from './support/redisServer.ts'

const command = join(import.meta.dirname, '../../cli/bin/foretrain.js')
const hasRedis = findRedisServer()

describe.skipIf(!hasRedis)('a fleet', () => {
  let folder = ''
  let server: RedisServer
  const workers: ChildProcess[] = []
  const grid = [
    '--workers',
    '1-40',
    '--policy',
    'recorded,tac,fifo',
    '--bandwidth',
    '1Gbps',
    '--replications',
    '4',
    '--steps',
    '80'
  ]

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'foretrain-fleet-'))
    writeFileSync(join(folder, 'profile.json'), JSON.stringify(smallProfile()))
    server = await RedisServer.start(folder)
  })
  afterAll(async () => {
    for (const worker of workers) worker.kill('SIGKILL')
    await server?.stop()
    rmSync(folder, { recursive: true })
  })

  function startWorker(): Promise<ChildProcess> {
    const child = spawn(process.execPath, [command, 'work', '--redis', server.url, '--jobs', '1'], {
      stdio: ['ignore', 'ignore', 'pipe']
    })
    workers.push(child)
    return new Promise((resolve, reject) => {
      child.stderr?.once('data', () => resolve(child))
      child.once('exit', code => reject(new Error(`the worker ended with ${code}`)))
    })
  }

  const lines = (name: string) =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8').split('\n').length - 1 : 0
  async function until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise(resolve => setTimeout(resolve, 20))
  }

  test('one of three workers killed, Redis restarted, the sweep itself killed and resumed: the bytes of the local run', {
    timeout: 300_000
  }, async () => {
    const local = spawnSync(process.execPath, [command, 'sweep', 'profile.json', ...grid, '--out', 'local.csv'], {
      cwd: folder,
      encoding: 'utf8'
    })
    expect(local).toMatchObject({ status: 0, stderr: '' })
    await Promise.all([startWorker(), startWorker(), startWorker()])
    const sweep = (...more: string[]) => {
      const all = [command, 'sweep', 'profile.json', ...grid, '--redis', server.url, '--out', 'fleet.csv', ...more]
      const child = spawn(process.execPath, all, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
      let errors = ''
      child.stderr.on('data', text => {
        errors += text
      })
      return {
        child,
        ended: new Promise<{ code: number | null; errors: string }>(resolve => child.on('close', code => resolve({ code, errors })))
      }
    }
    const first = sweep()
    await until(() => lines('fleet.csv.journal') >= 3)
    workers[0].kill('SIGKILL')
    await until(() => lines('fleet.csv.journal') >= 6)
    first.child.kill('SIGKILL')
    await first.ended
    const second = sweep('--resume')
    await until(() => lines('fleet.csv.journal') >= 9)
    await server.stop()
    await server.start()
    expect(await second.ended).toEqual({ code: 0, errors: '' })
    expect(readFileSync(join(folder, 'fleet.csv'), 'utf8')).toBe(readFileSync(join(folder, 'local.csv'), 'utf8'))
    expect(readdirSync(folder).filter(name => name.startsWith('fleet'))).toEqual(['fleet.csv'])
  })

  test('a signal ends a worker when it has finished what it does', async () => {
    const child = await startWorker()
    const ended = new Promise<number | null>(resolve => child.on('close', resolve))
    child.kill('SIGTERM')
    expect(await ended).toBe(143)
  })
})

describe.skipIf(!hasRedis)('refused: one line, exit code 1, no file', () => {
  let folder = ''
  let server: RedisServer
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'foretrain-refused-'))
    writeFileSync(join(folder, 'profile.json'), JSON.stringify(smallProfile()))
    server = await RedisServer.start(folder, '--requirepass', 'sesame')
  })
  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true })
  })

  const at = (user: string) => server.url.replace('//', `//${user}`)
  test.each<[string, () => string, RegExp]>([
    ['no password', () => server.url, /: asks for a password/],
    ['a wrong one', () => at(':secret@'), /: refuses the password \(WRONGPASS\)/],
    ['nobody there', () => 'redis://:secret@127.0.0.1:1', /^foretrain: redis:\/\/127.0.0.1:1: nothing listens there/]
  ])('%s', (_, url, message) => {
    for (const commandLine of [
      ['sweep', 'profile.json', '--workers', '1', '--out', 'out.csv'],
      ['work', '--jobs', '1']
    ]) {
      const { status, stderr } = spawnSync(process.execPath, [command, ...commandLine, '--redis', url()], {
        cwd: folder,
        encoding: 'utf8'
      })
      expect(stderr).toMatch(message)
      expect(stderr).not.toContain('secret')
      expect(stderr.trimEnd()).not.toContain('\n')
      expect(status).toBe(1)
      expect(readdirSync(folder)).not.toContain('out.csv')
      expect(readdirSync(folder)).not.toContain('out.csv.journal')
    }
  })
})
