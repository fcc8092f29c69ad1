import { InputError } from '../errors.ts'
import { fileBytes } from './pipes.ts'

/**
 * Reads a file that people write by hand.
 *
 * @throws InputError when it cannot be read, is larger than `most` bytes or is no UTF-8
 */
export async function readSmallFile(name: string, most: number): Promise<string> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of fileBytes(name)) {
    pieces.push(piece)
    length += piece.length
    if (length > most) throw new InputError(`${name}: larger than ${most / 1024} KiB; that is no file of this kind`)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces))
  } catch {
    throw new InputError(`${name}: is no text in UTF-8`)
  }
}
