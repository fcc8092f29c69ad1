import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { CommandLineError } from './errors.ts'
import { modes, policies, transports } from './flags/question.ts'
import type { Io } from './io/io.ts'
import type { Libraries } from './io/libraries.ts'
import { quoted } from './oneLine.ts'

const caseHelp = 'folders with case.json and traces, or folders of such folders'
const traceHelp = 'files, folders, globs or saved profiles of one run; - is standard input'
const transportHelp = `how tensors travel: ${transports.join(', ')} (default: auto)`

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
    .description('Predicts the throughput of asynchronous SGD on a TensorFlow parameter server from the trace of one worker.')
    .version(ownVersion(), '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', examples('inspect traces/', 'predict traces/ --workers 1-16', 'help predict'))
  addInspect(program).action(async (traces, flags) => {
    const { inspectCommand } = await import('./commands/inspect.ts')
    await inspectCommand(traces, flags, io, libraries)
  })
  addPredict(program).action(async (traces, flags) => {
    const { predictCommand } = await import('./commands/predict.ts')
    await predictCommand(traces, flags, io, libraries)
  })
  addValidate(program).action(async (folders, flags) => {
    const { validateCommand } = await import('./commands/validate.ts')
    await validateCommand(folders, flags, io, libraries)
  })
  return program
}

function addInspect(program: Command): Command {
  const command = program
    .command('inspect')
    .description('Shows what is in the traces: steps, operations, bytes per server, holes, warnings, one-worker replay error.')
    .argument('<TRACE...>', traceHelp)
    .option('--save <FILE>', 'write the profile as JSON; it can be given in place of the traces')
    .option('--transport <NAME>', transportHelp)
  return addOutputFlags(command, 'table or json').addHelpText(
    'after',
    examples('inspect traces/', "inspect 'run/run_metadata_*.pb.gz' --save profile.json", 'inspect profile.json --format json')
  )
}

function addPredict(program: Command): Command {
  const command = program
    .command('predict')
    .description('Predicts the throughput of clusters with the given numbers of workers.')
    .argument('<TRACE...>', traceHelp)
    .option('--workers <LIST>', 'cluster sizes: 8, 1-16, 1,2,4,8')
    .option('--bandwidth <RATE>', 'nominal rate of every host, each direction: 1Gbps (default: as calibrated)')
    .option('--latency <TIME>', 'one way: 0.1ms (default: 0.05ms)')
    .option('--buffer <TIME>', 'depth of the queue in front of a NIC: 20ms (default: 5ms)')
    .option('--burst <SIZE>', 'what a token bucket in front of a server lets through at once after a pause: 256KiB')
    .option('--batch <N>', "examples in a worker's step (default: 1)")
    .option('--policy <NAME>', `order of the transfers: ${policies.join(', ')} (default: recorded)`)
    .option('--mode <MODE>', `${modes.join(', ')} (default: async)`)
    .option('--traced-bandwidth <RATE>', 'nominal rate at which the traces were taken, so that --bandwidth scales from it: 1Gbps')
    .option('--transport <NAME>', transportHelp)
    .option('--window <SIZE>', 'flow-control window of a stream: 8MiB (default: as calibrated)')
    .option('--ramp <TIME>', 'time a new connection takes to its full share: 2s')
    .option('--parse-cost <COST>', 'time the receiver needs for a tensor, by size: 0.04us/kB')
    .option('--server-cores <N>', 'cores of a server (default: 8)')
    .option(
      '--message-cost <TIME>',
      'time that each pull and each push takes of a core of its server: 50us (default: nothing beyond parsing)'
    )
    .option('--byte-cost <COST>', 'the same by size: 1.3us/kB')
    .option('--flow-limit <RATE>', 'nominal rate of a single connection at most: 25Gbps')
    .option('--colocate', "server j is on worker j's host: they share its links, not its cores (default: hosts of their own)")
    .option('--step-time <TIME>', 'the unprofiled step of one worker, when profiling slowed it down: 412ms')
  addEffortFlags(command).option('--jobs <N>', 'most threads to use; the result does not depend on it (default: one a core)')
  return addOutputFlags(command, 'table, json or csv').addHelpText(
    'after',
    examples(
      'predict traces/ --workers 1-16',
      'predict profile.json --workers 1,2,4,8 --bandwidth 10Gbps --traced-bandwidth 1Gbps --batch 32',
      'predict traces/ --workers 4-16 --colocate',
      'predict traces/ --workers 1-64 --out throughput.csv'
    )
  )
}

function addValidate(program: Command): Command {
  const command = program
    .command('validate')
    .description('Compares predictions with measured clusters: every measurement of a case is predicted from its traces alone.')
    .argument('<CASE_DIR...>', caseHelp)
    .option('--max-error <PERCENT>', 'end with exit code 4 if an error with more than one worker is larger: 10%')
  return addOutputFlags(addEffortFlags(command), 'table, json or csv').addHelpText(
    'after',
    examples('validate examples/', 'validate examples/resnet50-1000 --max-error 10%', 'validate examples/ --out accuracy.json')
  )
}

function addEffortFlags(command: Command): Command {
  return command
    .option('--precision <PERCENT>', 'simulate until the 95 % interval is this narrow, either side (default: 1%)')
    .option('--replications <N>', 'instead of --precision: so many runs (default: 4 if --steps is given)')
    .option('--steps <N>', 'instead of --precision: so many measured steps per worker (default: 200 if --replications is given)')
    .option('--seed <N>', 'same seed, same result (default: 1)')
}

function addOutputFlags(command: Command, formats: string): Command {
  return command
    .helpOption('-h, --help', 'print this help')
    .option('--format <FORMAT>', `${formats} (default: by the ending of FILE, else table)`)
    .option('--out <FILE>', 'write the result to a file')
    .option('--force', 'replace existing files')
}

function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map(line => `  foretrain ${line}`).join('\n')}`
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
