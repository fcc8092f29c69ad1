/**
 * Files that may be pipes. Whoever opens, reads or writes a pipe may wait for its other end for ever; in the thread pool, where files are read and
 * written, that would keep the process from ending, even after Ctrl-C. So pipes are never waited for there.
 */

import { constants, createReadStream, fstatSync, open } from 'node:fs'
import { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { isatty } from 'node:tty'
import { promisify } from 'node:util'
import { describeSystemError, InputError } from '../errors.ts'

const openDescriptor = promisify(open)

const pieceBytes = 1 << 20
/** Between two looks whether somebody has begun to read a pipe; no event tells it. */
const lookAgainMs = 50

/**
 * The bytes of a file or a pipe, which is opened when the first piece is read: a thousand files never are a thousand open files.
 *
 * @throws InputError when it cannot be read
 */
export async function* fileBytes(path: string): AsyncGenerator<Uint8Array> {
  try {
    const fd = await openDescriptor(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const stream = fstatSync(fd).isFIFO()
      ? new Socket({ fd, readable: true, writable: false })
      : createReadStream(path, { fd, highWaterMark: pieceBytes })
    if (isatty(fd)) {
      stream.destroy()
      throw new InputError(`${path}: is a terminal; name a file or a pipe`)
    }
    for await (const piece of stream) yield piece
  } catch (error) {
    throw error instanceof InputError ? error : new InputError(describeSystemError(error, path))
  }
}

/** What takes pieces one after the other; to be closed in any case. */
export interface Writer {
  write(piece: string | Uint8Array): Promise<void>
  close(): Promise<void>
}

/** Opens a pipe for writing, as soon as somebody reads it. */
export async function openPipe(path: string): Promise<Writer> {
  const socket = new Socket({ fd: await whenRead(path), readable: false, writable: true })
  // The promise of write reports the error; without a listener the process would die of it as well.
  socket.on('error', () => {})
  return {
    write: piece => new Promise((resolve, reject) => socket.write(piece, error => (error ? reject(error) : resolve()))),
    close: async () => void socket.destroy()
  }
}

async function whenRead(path: string): Promise<number> {
  for (;;) {
    try {
      return await openDescriptor(path, constants.O_WRONLY | constants.O_NONBLOCK)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error
      await setTimeout(lookAgainMs)
    }
  }
}
