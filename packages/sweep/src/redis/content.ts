import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Redis } from 'ioredis'
import { sha256 } from '../node/identity.ts'
import { SweepError } from '../sweepError.ts'

/** Largest text that is sent, and that a worker unpacks. */
const mostTextBytes = 256 * 2 ** 20
/** The same, packed. */
const mostPackedBytes = 64 * 2 ** 20
/** What nobody has used for so long goes. */
const keptSeconds = 3600

const keyOf = (hash: string) => `foretrain:content:${hash}`

/** A text that workers fetch by the hash of what it says: nobody can slip them another. */
export class Content {
  readonly hash: string
  readonly #packed: Buffer

  private constructor(hash: string, packed: Buffer) {
    this.hash = hash
    this.#packed = packed
  }

  /**
   * @param name of what it is, for messages
   * @throws SweepError when it is too large
   */
  static async of(text: string, name: string): Promise<Content> {
    const bytes = Buffer.from(text)
    const packed = bytes.length > mostTextBytes ? undefined : await promisify(gzip)(bytes)
    if (packed === undefined || packed.length > mostPackedBytes)
      throw new SweepError(
        `the ${name} is too large for a queue: ${Math.ceil(bytes.length / 2 ** 20)} MiB; ${mostTextBytes / 2 ** 20} MiB, and ${mostPackedBytes / 2 ** 20} MiB compressed, are the most`
      )
    return new Content(sha256(bytes), packed)
  }

  /** Sends it where it is not there yet, and keeps it for another while. */
  async ensure(redis: Redis): Promise<void> {
    const isThere = await redis.expire(keyOf(this.hash), keptSeconds)
    if (isThere === 0) await redis.set(keyOf(this.hash), this.#packed, 'EX', keptSeconds)
  }
}

/** @throws SweepError when it is not there, too large, or something else */
export async function fetchContent(redis: Redis, hash: string, name: string): Promise<string> {
  const key = keyOf(hash)
  const bytes = await redis.strlen(key)
  if (bytes === 0) throw new SweepError(`the ${name} ${hash} is not there any more`)
  if (bytes > mostPackedBytes) throw new SweepError(`the ${name} ${hash} is too large: ${bytes} bytes`)
  const packed = await redis.getBuffer(key)
  if (packed === null) throw new SweepError(`the ${name} ${hash} is not there any more`)
  const text = await promisify(gunzip)(packed, { maxOutputLength: mostTextBytes }).catch((error: Error) => {
    throw new SweepError(`the ${name} ${hash} cannot be unpacked: ${error.message}`)
  })
  if (sha256(text) !== hash) throw new SweepError(`the ${name} ${hash} is not what its hash says`)
  return text.toString('utf8')
}
