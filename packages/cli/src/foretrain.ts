/** The program `foretrain`: joins the commands to the process. */
import { describeFailure, exitCodes } from './errors.ts'
import { passSignalOn } from './io/interrupt.ts'
import { libraries } from './io/libraries.ts'
import { removeUnfinishedFiles } from './io/outputFile.ts'
import { processIo } from './io/processIo.ts'
import { main } from './main.ts'

process.on('exit', removeUnfinishedFiles)
// Ending here also ends the simulation thread; the exit listener tidies up.
for (const [signal, exitCode] of [
  ['SIGINT', exitCodes.interrupted],
  ['SIGTERM', 143],
  ['SIGHUP', 129]
] as const) {
  process.on(signal, () => {
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[2K')
    if (!passSignalOn(exitCode)) process.exit(exitCode)
  })
}
process.on('uncaughtException', error => {
  const { exitCode, text } = describeFailure(error, process.env.FORETRAIN_DEBUG === '1')
  process.stderr.write(text === '' ? '' : `${text}\n`, () => process.exit(exitCode))
})

const exitCode = await main(process.argv.slice(2), processIo(), libraries)
// A half-read standard input or a thread must not keep the process alive; all output has been handed over.
process.exit(exitCode)
