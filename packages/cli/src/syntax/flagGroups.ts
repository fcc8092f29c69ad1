import { modes, policyNames } from '@foretrain/predictor/text'
import type { Command } from 'commander'
import { transports } from '../flags/question.ts'

/** Groups of flags that several commands have. */

export const caseHelp = 'folders with case.json and traces, or folders of such folders'
export const traceHelp = 'files, folders, globs or saved profiles of one run; - is standard input'
export const transportHelp = `how tensors travel: ${transports.join(', ')} (default: auto)`

export function addSizesFlag(command: Command): Command {
  return command.option(
    '--sizes <FILE>',
    'CSV of tensor,bytes: what timelines of TensorFlow (JSON) leave out, where no RunMetadata says it (docs/inputs.md)'
  )
}

/** Which hosts there are, and what they hold. */
export function addClusterFlags(command: Command): Command {
  return command
    .option('--servers <LIST>', 'numbers of parameter servers: 2, 1-4, 1,2,4 (default: as traced)')
    .option(
      '--placement <RULE>',
      'which server holds which variable: profile, round-robin, greedy, or FILE.json with variable: server (default: as traced for as many servers, else round-robin)'
    )
    .option('--partition-variables <N>', 'cut each variable into so many parts, which are placed like variables (default: 1)')
    .option('--colocate', "server j is on worker j's host: they share its links, not its cores (default: hosts of their own)")
    .option('--cluster <FILE>', 'YAML file of unequal workers, servers and links (docs/cluster.md); flags go before what it says')
}

/** How the help of a flag looks where it takes a list. */
interface FlagForm {
  lists?: boolean
}

export function addNetworkFlags(command: Command, { lists = false }: FlagForm = {}): Command {
  const [rate, time, number] = lists ? ['LIST', 'LIST', 'LIST'] : ['RATE', 'TIME', 'N']
  return command
    .option(
      `--bandwidth <${rate}>`,
      `nominal rate of every host, each direction: ${lists ? '1Gbps,10Gbps' : '1Gbps'} (default: as calibrated)`
    )
    .option(`--latency <${time}>`, `one way: ${lists ? '0.05ms,1ms' : '0.1ms'} (default: 0.05ms)`)
    .option('--buffer <TIME>', 'depth of the queue in front of a NIC: 20ms (default: 5ms)')
    .option('--burst <SIZE>', 'what a token bucket in front of a server lets through at once after a pause: 256KiB')
    .option(`--batch <${number}>`, `examples in a worker's step${lists ? ': 32,64' : ''} (default: 1)`)
}

/** One order of the transfers, or several to choose from. */
export function addPolicyFlags(command: Command, { lists = false }: FlagForm = {}): Command {
  command.option(
    lists ? '--policy <LIST>' : '--policy <NAME>',
    `order${lists ? 's' : ''} of the transfers: ${lists ? 'any of ' : ''}${policyNames.join(', ')}, order:FILE (default: recorded)`
  )
  return addPriorityFlags(command)
}

export function addPriorityFlags(command: Command): Command {
  return command
    .option('--partition <SIZE>', 'of priority: tensors are cut into chunks of this size (default: 4.096MB)')
    .option('--credit <SIZE>', 'of priority: what a connection may have handed over and not yet sent (default: 4 partitions)')
    .option('--priority-order <NAME>', 'of priority: where its ranks come from: fifo or tac (default: fifo)')
}

/** @param windowFlag of the flow-control window */
export function addModelFlags(
  command: Command,
  { lists = false, windowFlag = '--window <SIZE>' }: FlagForm & { windowFlag?: string } = {}
): Command {
  const [mode, factor] = lists ? ['LIST', 'LIST'] : ['MODE', 'FACTOR']
  return command
    .option(`--mode <${mode}>`, `how workers wait for each other: ${modes.join(', ')} (default: async)`)
    .option('--straggler <LIST>', 'share of the steps that take longer to compute, and how many times: p=0.05,factor=3')
    .option('--traced-bandwidth <RATE>', 'nominal rate at which the traces were taken, so that --bandwidth scales from it: 1Gbps')
    .option('--transport <NAME>', transportHelp)
    .option(windowFlag, 'flow-control window of a stream: 8MiB (default: as calibrated)')
    .option('--ramp <TIME>', 'time a new connection takes to its full share: 2s')
    .option('--parse-cost <COST>', 'time the receiver needs for a tensor, by size: 0.04us/kB')
    .option('--server-cores <N>', 'cores of a server (default: 8)')
    .option(
      '--message-cost <TIME>',
      'time that each pull and each push takes of a core of its server: 50us (default: nothing beyond parsing)'
    )
    .option('--byte-cost <COST>', 'the same by size: 1.3us/kB')
    .option('--flow-limit <RATE>', 'nominal rate of a single connection at most: 25Gbps')
    .option(
      `--compute-speed <${factor}>`,
      `how many times as fast as the traced one every worker computes: ${lists ? '1,1.5,2' : '1.5'} (default: 1)`
    )
    .option('--step-time <TIME>', 'the unprofiled step of one worker, when profiling slowed it down: 412ms')
}

/** How much is simulated. */
export function addEffortFlags(command: Command): Command {
  return command
    .option('--precision <PERCENT>', 'simulate until the 95 % interval is this narrow, either side (default: 1%)')
    .option('--replications <N>', 'instead of --precision: so many runs (default: 4 if --steps is given)')
    .option('--steps <N>', 'instead of --precision: so many measured steps per worker (default: 200 if --replications is given)')
    .option('--seed <N>', 'same seed, same result (default: 1)')
}

export function addJobsFlag(command: Command): Command {
  return command.option('--jobs <N>', 'most threads to use; the result does not depend on it (default: one a core)')
}

export function addOutputFlags(command: Command, formats: string): Command {
  return command
    .helpOption('-h, --help', 'print this help')
    .option('--format <FORMAT>', `${formats} (default: by the ending of FILE, else table)`)
    .option('--out <FILE>', 'write the result to a file')
    .option('--force', 'replace existing files')
}

export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map(line => `  foretrain ${line}`).join('\n')}`
}
