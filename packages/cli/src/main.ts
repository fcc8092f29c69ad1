import { describeFailure, exitCodes } from './errors.ts'
import type { Io } from './io/io.ts'
import type { Libraries } from './io/libraries.ts'
import { runCommandLine } from './program.ts'

/** Runs the command with its arguments (without node and script) and returns the exit code. Never throws. */
export async function main(commandLine: string[], io: Io, libraries: Libraries): Promise<number> {
  try {
    await runCommandLine(commandLine, io, libraries)
    return exitCodes.done
  } catch (error) {
    const { exitCode, text } = describeFailure(error, io.environment.FORETRAIN_DEBUG === '1')
    // If standard error is gone too, the exit code has to do.
    if (text !== '') await io.errors.write(`${text}\n`).catch(() => {})
    return exitCode
  }
}
