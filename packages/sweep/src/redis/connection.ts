import { Redis } from 'ioredis'
import { SweepError } from '../sweepError.ts'
import type { RedisAddress } from './address.ts'

const connectTimeoutMs = 5000
const longestPauseMs = 2000
/** Streams and the scripts of the queue need it. */
const oldestVersion = [6, 2]

/**
 * Connects. What cannot be reached at first is an error; a connection that is lost later is made again for as long as it takes, and what is
 * asked meanwhile waits.
 *
 * @throws SweepError with the address and what is wrong there
 */
export async function connect({ options, shown }: RedisAddress): Promise<Redis> {
  let wasReady = false
  let cause: Error | undefined
  const redis = new Redis({
    ...options,
    lazyConnect: true,
    connectTimeout: connectTimeoutMs,
    maxRetriesPerRequest: null,
    retryStrategy: times => (wasReady ? Math.min(100 * 2 ** times, longestPauseMs) : null)
  })
  redis.on('error', error => {
    cause = error
  })
  try {
    await redis.connect()
    const [, version = ''] = /redis_version:([\d.]+)/.exec(await redis.info('server')) ?? []
    const [major = 0, minor = 0] = version.split('.').map(Number)
    if (major < oldestVersion[0] || (major === oldestVersion[0] && minor < oldestVersion[1]))
      throw new SweepError(`${shown}: is Redis ${version}; ${oldestVersion.join('.')} or newer is needed`)
    wasReady = true
    return redis
  } catch (error) {
    redis.disconnect()
    throw error instanceof SweepError ? error : new SweepError(`${shown}: ${describe(cause ?? (error as Error))}`)
  }
}

/** Of errors by the code or the first word of their message. */
const words: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there (ECONNREFUSED); start Redis, or correct --redis',
  ENOTFOUND: 'there is no such host (ENOTFOUND)',
  EAI_AGAIN: 'its name cannot be resolved (EAI_AGAIN)',
  ETIMEDOUT: 'does not answer (ETIMEDOUT)',
  EHOSTUNREACH: 'cannot be reached (EHOSTUNREACH)',
  NOAUTH: 'asks for a password: redis://:password@host',
  WRONGPASS: 'refuses the password (WRONGPASS)',
  NOPERM: 'the user may not do what is needed there (NOPERM)'
}

function describe(error: Error): string {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  const [word] = error.message.split(' ', 1)
  return words[code] ?? words[word] ?? error.message.replace(/\s+/g, ' ')
}
