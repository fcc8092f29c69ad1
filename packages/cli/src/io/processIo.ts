import { ClosedPipeError, describeSystemError, InputError } from '../errors.ts'
import type { Io, TextOutput } from './io.ts'

/** The real process as the commands see it. */
export function processIo(): Io {
  return {
    standardInput: { bytes: standardInputBytes(), isTerminal: process.stdin.isTTY === true },
    output: textOutput(process.stdout, 'standard output'),
    errors: textOutput(process.stderr, 'standard error'),
    environment: process.env
  }
}

async function* standardInputBytes(): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of process.stdin) yield chunk
  } catch (error) {
    throw new InputError(describeSystemError(error, 'standard input'))
  }
}

function textOutput(stream: NodeJS.WriteStream, name: string): TextOutput {
  // The promise of write reports the error; without a listener the process would die of it as well.
  stream.on('error', () => {})
  return {
    isTerminal: stream.isTTY === true,
    // Some pseudo-terminals say 0.
    columns: stream.columns || undefined,
    write: text =>
      new Promise((resolve, reject) => {
        stream.write(text, error => {
          if (!error) resolve()
          else if (isClosedPipe(error)) reject(new ClosedPipeError(name))
          else reject(new InputError(describeSystemError(error, name)))
        })
      })
  }
}

function isClosedPipe(error: Error): boolean {
  return ['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED'].includes((error as NodeJS.ErrnoException).code ?? '')
}
