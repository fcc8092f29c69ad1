import { open } from 'node:fs/promises'
import { describeSystemError, InputError } from '../errors.ts'

/**
 * Reads a file that people write by hand.
 *
 * @throws InputError when it cannot be read, is larger than `most` bytes or is no UTF-8
 */
export async function readSmallFile(name: string, most: number): Promise<string> {
  const handle = await open(name).catch(error => {
    throw new InputError(describeSystemError(error, name))
  })
  try {
    const bytes = Buffer.alloc(most + 1)
    let length = 0
    for (;;) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length).catch(error => {
        throw new InputError(describeSystemError(error, name))
      })
      length += bytesRead
      if (bytesRead === 0 || length === bytes.length) break
    }
    if (length > most) throw new InputError(`${name}: larger than ${most / 1024} KiB; that is no file of this kind`)
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length))
  } catch (error) {
    if (error instanceof TypeError) throw new InputError(`${name}: is no text in UTF-8`)
    throw error
  } finally {
    await handle.close()
  }
}
