import { readFileSync } from 'node:fs'
import { quoted } from '@foretrain/predictor/text'
import { Command, CommanderError } from 'commander'
import { CommandLineError } from './errors.ts'
import type { Io } from './io/io.ts'
import type { Libraries } from './io/libraries.ts'
import {
  addCompare,
  addInspect,
  addPlan,
  addPredict,
  addServe,
  addSweep,
  addTimeline,
  addValidate,
  addWork
} from './syntax/commands.ts'
import { caseHelp, examples, traceHelp } from './syntax/flagGroups.ts'

/** Reads the command line, runs the command it names, prints help and version. Throws what goes wrong. */
export async function runCommandLine(commandLine: string[], io: Io, libraries: Libraries): Promise<void> {
  let help = ''
  const collect = (text: string) => {
    help += text
  }
  const program = makeProgram(io, libraries)
  for (const command of [program, ...program.commands]) {
    command.configureOutput({
      writeOut: collect,
      // Errors are thrown, and become one line elsewhere.
      writeErr: () => {},
      getOutHelpWidth: () => Math.min(io.output.columns ?? 100, 120),
      getOutHasColors: () => false
    })
    command.exitOverride(error => {
      throw explain(error, command, program, commandLine)
    })
  }
  if (commandLine.length === 0)
    throw new CommandLineError(`a command is needed: ${names(program)} (foretrain --help shows examples)`)
  try {
    await program.parseAsync(commandLine, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError && error.exitCode === 0)) throw error
  }
  if (help !== '') await io.output.write(help)
}

function makeProgram(io: Io, libraries: Libraries): Command {
  const program = new Command('foretrain')
    .usage('COMMAND [TRACE...] [flags]')
    .description('Predicts the throughput of SGD on a TensorFlow parameter server from the trace of one worker.')
    .version(ownVersion(), '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText(
      'after',
      examples('inspect traces/', 'predict traces/ --workers 1-16', 'timeline traces/ --workers 4 --out run.json', 'help predict')
    )
  addInspect(program).action(async (traces, flags) => {
    const { inspectCommand } = await import('./commands/inspect.ts')
    await inspectCommand(traces, flags, io, libraries)
  })
  addPredict(program).action(async (traces, flags) => {
    const { predictCommand } = await import('./commands/predict.ts')
    await predictCommand(traces, flags, io, libraries)
  })
  addCompare(program).action(async (traces, flags) => {
    const { compareCommand } = await import('./commands/compare.ts')
    await compareCommand(traces, flags, io, libraries)
  })
  addTimeline(program).action(async (traces, flags) => {
    const { timelineCommand } = await import('./commands/timeline.ts')
    await timelineCommand(traces, flags, io, libraries)
  })
  addPlan(program).action(async (traces, flags) => {
    const { planCommand } = await import('./commands/plan.ts')
    await planCommand(traces, flags, io, libraries)
  })
  addSweep(program).action(async (traces, flags) => {
    const { sweepCommand } = await import('./commands/sweep.ts')
    await sweepCommand(traces, flags, io, libraries)
  })
  addWork(program).action(async flags => {
    const { workCommand } = await import('./commands/work.ts')
    await workCommand(flags, io)
  })
  addValidate(program).action(async (folders, flags) => {
    const { validateCommand } = await import('./commands/validate.ts')
    await validateCommand(folders, flags, io, libraries)
  })
  addServe(program).action(async flags => {
    const { serveCommand } = await import('./commands/serve.ts')
    await serveCommand(flags, io)
  })
  return program
}

/** Commander's errors in the words of this command: one line that says what exists. */
function explain(error: CommanderError, command: Command, program: Command, commandLine: string[]): Error {
  if (error.exitCode === 0) return error
  const culprit = /'([^']*)'/s.exec(error.message)?.[1] ?? ''
  const isProgram = command === program
  switch (error.code) {
    case 'commander.unknownOption': {
      const existing = isProgram
        ? `commands: ${names(program)}; flags: --help, --version`
        : `${command.name()} has ${flagNames(command)}`
      return new CommandLineError(`unknown flag ${quoted(culprit)}; ${existing}`)
    }
    case 'commander.unknownCommand':
      return new CommandLineError(unknownCommand(culprit, program))
    case 'commander.help':
      // "help NAME" of a command that does not exist.
      return new CommandLineError(unknownCommand(commandLine[1] ?? '', program))
    case 'commander.missingArgument': {
      const needed = command.registeredArguments[0].description === caseHelp ? `case folders: ${caseHelp}` : `traces: ${traceHelp}`
      return new CommandLineError(`${command.name()} needs ${needed}`)
    }
    case 'commander.optionMissingArgument':
      return new CommandLineError(`${culprit.replace(/ .*/s, '')} needs a value: ${culprit}`)
    default:
      return new CommandLineError(error.message.replace(/^error: /, ''))
  }
}

function unknownCommand(name: string, program: Command): string {
  return `unknown command ${quoted(name)}; commands: ${names(program)}`
}

function names(program: Command): string {
  return program.commands.map(command => command.name()).join(', ')
}

function flagNames(command: Command): string {
  return [...command.options.map(option => option.long), '--help'].join(', ')
}

function ownVersion(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version
}
