import { QuestionError } from '@foretrain/predictor'
import type { RedisOptions } from 'ioredis'

/** Where a Redis is. */
export interface RedisAddress {
  options: RedisOptions
  /** For messages: without user and password. */
  shown: string
}

const usualPort = 6379

/**
 * Reads redis://[[user]:password@]host[:port][/database], or rediss:// with TLS.
 *
 * @throws QuestionError that never repeats what was given: it may hold a password
 */
export function parseRedisUrl(text: string): RedisAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['redis:', 'rediss:'].includes(url.protocol) || url.hostname === '')
    throw new QuestionError(
      '--redis: is no address of a Redis: write redis://host:6379, or rediss://user:password@host:6379 for TLS'
    )
  const [, database = ''] = /^\/?(.*)$/.exec(url.pathname) ?? []
  if (!/^\d{0,4}$/.test(database) || url.search !== '' || url.hash !== '')
    throw new QuestionError('--redis: behind the host there may be a port and the number of a database: redis://host:6379/0')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = url.port === '' ? usualPort : Number(url.port)
  return {
    options: {
      host,
      port,
      ...(url.username !== '' && { username: decoded(url.username) }),
      ...(url.password !== '' && { password: decoded(url.password) }),
      ...(database !== '' && { db: Number(database) }),
      ...(url.protocol === 'rediss:' && { tls: {} })
    },
    shown: `${url.protocol}//${url.hostname}:${port}`
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
