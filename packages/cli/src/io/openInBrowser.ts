import { spawn } from 'node:child_process'
import type { Io } from './io.ts'

/** The program that opens an address in the browser of whoever sits there. */
function opener(address: string): [string, string[]] {
  if (process.platform === 'darwin') return ['open', [address]]
  // "start" is part of the shell; its first argument in quotes is a title.
  if (process.platform === 'win32') return ['cmd', ['/c', 'start', '""', address]]
  return ['xdg-open', [address]]
}

/** Opens an address in the browser; where that cannot be done it says so and goes on. */
export async function openInBrowser(address: string, io: Pick<Io, 'errors'>): Promise<void> {
  const [program, args] = opener(address)
  const child = spawn(program, args, { stdio: 'ignore', detached: true })
  const failure = await new Promise<string | undefined>(resolve => {
    child.once('spawn', () => resolve(undefined))
    child.once('error', error => resolve(error.message))
  })
  child.unref()
  if (failure !== undefined) await io.errors.write(`foretrain: no browser could be opened (${failure}); open the address by hand\n`)
}
