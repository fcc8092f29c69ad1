import { parseWhole } from '@foretrain/predictor/text'
import type { Io } from '../io/io.ts'
import { openInBrowser } from '../io/openInBrowser.ts'
import { servePage } from '../io/pageServer.ts'

/** Flags as they stand on the command line. */
interface ServeFlags {
  port?: string
  open?: boolean
}

/** Nothing common listens there. */
const usualPort = 8747

/** `foretrain serve`: the page, on this machine alone, until the command is interrupted. */
export async function serveCommand(flags: ServeFlags, io: Io): Promise<never> {
  const port = flags.port === undefined ? usualPort : parseWhole('--port', flags.port, 0, 65_535)
  const { address } = await servePage(port)
  await io.output.write(`${address}\n`)
  if (io.errors.isTerminal) await io.errors.write('foretrain: serving the page; Ctrl-C ends it\n')
  if (flags.open) await openInBrowser(address, io)
  return new Promise<never>(() => {})
}
