import { comparedPolicies, policyNames } from '@foretrain/predictor/text'
import type { Command } from 'commander'
import {
  addClusterFlags,
  addEffortFlags,
  addJobsFlag,
  addModelFlags,
  addNetworkFlags,
  addOutputFlags,
  addPolicyFlags,
  addPriorityFlags,
  addSizesFlag,
  caseHelp,
  examples,
  traceHelp,
  transportHelp
} from './flagGroups.ts'

/** Flags of which a sweep takes lists. */
const lists = { lists: true }

/** What each command takes and how its help explains that. What it does is in commands/. */

export function addInspect(program: Command): Command {
  const command = program
    .command('inspect')
    .description('Shows what is in the traces: steps, operations, bytes per server, holes, warnings, one-worker replay error.')
    .argument('<TRACE...>', traceHelp)
    .option('--save <FILE>', 'write the profile as JSON; it can be given in place of the traces')
    .option(
      '--redact',
      'rename operations, variables, devices and files in what is written, for a bug report; predictions stay the same'
    )
    .option('--transport <NAME>', transportHelp)
  return addOutputFlags(addSizesFlag(command), 'table or json').addHelpText(
    'after',
    examples(
      'inspect traces/',
      "inspect 'run/run_metadata_*.pb.gz' --save profile.json",
      'inspect traces/ --redact --save shareable.json',
      'inspect profile.json --format json'
    )
  )
}

export function addPredict(program: Command): Command {
  const command = program
    .command('predict')
    .description('Predicts the throughput of clusters with the given numbers of workers.')
    .argument('<TRACE...>', traceHelp)
    .option('--workers <LIST>', 'cluster sizes: 8, 1-16, 1,2,4,8 (default with --cluster: all workers of the file)')
  addNetworkFlags(addSizesFlag(addClusterFlags(command)))
  addModelFlags(addPolicyFlags(command))
  return addOutputFlags(addJobsFlag(addEffortFlags(command)), 'table, json or csv').addHelpText(
    'after',
    examples(
      'predict traces/ --workers 1-16',
      'predict profile.json --workers 1,2,4,8 --bandwidth 10Gbps --traced-bandwidth 1Gbps --batch 32',
      'predict traces/ --workers 4,8 --servers 1-4 --placement greedy',
      'predict traces/ --workers 8 --servers 2 --partition-variables 2',
      'predict traces/ --workers 4-16 --colocate',
      'predict traces/ --cluster cluster.yaml',
      'predict traces/ --workers 4-16 --mode sync:backup=1 --straggler p=0.05,factor=3',
      'predict traces/ --workers 1-64 --out throughput.csv'
    )
  )
}

export function addCompare(program: Command): Command {
  const command = program
    .command('compare')
    .description(
      'Compares orders of the transfers on one cluster, with common random numbers, so that small gains are told from noise.'
    )
    .argument('<TRACE...>', traceHelp)
    .option('--workers <N>', 'cluster size: 8 (default with --cluster: all workers of the file)')
    .option(
      '--policy <LIST>',
      `orders of the transfers: any of ${policyNames.join(', ')}, order:FILE (default: ${comparedPolicies.join(',')}); gains are over recorded, else over the first`
    )
  addPriorityFlags(command).option('--tune', 'look for the partition and credit with which priority is fastest, then compare')
  addModelFlags(addNetworkFlags(addSizesFlag(addClusterFlags(command))))
  return addOutputFlags(addJobsFlag(addEffortFlags(command)), 'table, json or csv').addHelpText(
    'after',
    examples(
      'compare traces/ --workers 8',
      'compare traces/ --workers 2 --policy recorded,tic,order:ranks.csv',
      'compare profile.json --workers 4 --bandwidth 10Gbps --traced-bandwidth 1Gbps --replications 32 --out policies.json'
    )
  )
}

export function addPlan(program: Command): Command {
  const command = program
    .command('plan')
    .description('Finds the cheapest cluster that meets a target, and the knee beyond which added workers bring too little.')
    .argument('<TRACE...>', traceHelp)
    .option('--target <RATE>', 'throughput of the whole cluster to be met: 500examples/s (with --batch), 20steps/s')
    .option('--price <LIST>', 'cost of one host an hour, in any currency: worker=0.90,server=0.20')
    .option(
      '--workers <LIST>',
      'cluster sizes to choose from: 8, 1-16, 1,2,4,8 (default: few sizes are searched, of 1 to 1024 workers)'
    )
    .option(
      '--knee <PERCENT>',
      'of the throughput of one worker: the knee is where added workers begin to bring less each (default: 50%)'
    )
    .option('--chart <FILE>', 'draw cost against throughput, as SVG')
  addNetworkFlags(addSizesFlag(addClusterFlags(command)))
  addModelFlags(addPolicyFlags(command))
  return addOutputFlags(addJobsFlag(addEffortFlags(command)), 'table, json or csv').addHelpText(
    'after',
    examples(
      'plan traces/ --target 500examples/s --price worker=0.90,server=0.20 --batch 32',
      'plan traces/ --target 1.1steps/s --price worker=0.90,server=0.20 --workers 1-16 --chart cost.svg',
      'plan profile.json --target 20steps/s --price worker=1,server=0 --bandwidth 10Gbps --traced-bandwidth 1Gbps --out plan.json'
    )
  )
}

export function addSweep(program: Command): Command {
  const command = program
    .command('sweep')
    .description('Predicts every combination of the given lists, a row each, in a file that can be resumed.')
    .argument('<TRACE...>', traceHelp)
    .option('--plan <FILE>', 'YAML file of these flags without dashes (docs/sweep.md); flags go before what it says')
    .option('--workers <LIST>', 'cluster sizes: 8, 1-64, 1,2,4,8')
  addModelFlags(addPolicyFlags(addNetworkFlags(addClusterFlags(command), lists), lists), lists)
  addJobsFlag(addEffortFlags(command))
  return command
    .helpOption('-h, --help', 'print this help')
    .option('--out <FILE>', 'the file to write: .csv, .jsonl or .parquet (default: CSV on standard output)')
    .option('--force', 'replace an existing file')
    .option('--resume', 'go on with the interrupted sweep that left FILE.journal beside FILE')
    .option('--chart <FILE>', 'draw throughput against workers, a line for each combination of the rest, as SVG')
    .option('--summary', 'show the fastest points at the end')
    .option('--redis <URL>', 'have workers on other machines simulate (foretrain work): redis://host:6379, rediss://… with TLS')
    .addHelpText(
      'after',
      examples(
        'sweep traces/ --workers 1-64 --bandwidth 1Gbps,10Gbps --traced-bandwidth 1Gbps --out results.csv',
        'sweep traces/ --workers 1-50 --policy recorded,fifo,tac --summary --chart results.svg --out results.parquet',
        'sweep profile.json --plan plan.yaml --out results.jsonl --resume',
        'sweep profile.json --plan plan.yaml --redis redis://queue.example --out results.csv'
      )
    )
}

export function addWork(program: Command): Command {
  return program
    .command('work')
    .description('Simulates the points of sweeps that are queued in Redis, until it is ended.')
    .option('--redis <URL>', 'where sweeps queue their points: redis://host:6379, rediss://… with TLS')
    .option('--jobs <N>', 'threads (default: one a core)')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      examples('work --redis redis://queue.example', 'work --redis rediss://:password@queue.example:6380 --jobs 8')
    )
}

export function addTimeline(program: Command): Command {
  const command = program
    .command('timeline')
    .description('Writes a simulated run as a trace that opens in Perfetto (https://ui.perfetto.dev) and chrome://tracing.')
    .argument('<TRACE...>', traceHelp)
    .option('--workers <N>', 'size of the cluster: 4 (default with --cluster: all workers of the file)')
    .option(
      '--window <LENGTH>',
      'what is shown: 3steps of each worker, 3steps@10 from the step of that number, 2s or 500ms@10s of simulated time (default: 3steps; without @ when all of them are warm)'
    )
    .option('--trace-workers <LIST>', 'workers that are shown: 0,1 or 0-3 (default: all, at most the first 8)')
    .option('--out <FILE>', 'the file to write, as gzip if it ends in .gz; - is standard output')
    .option('--force', 'replace an existing file; write more than 2 GB')
    .option('--seed <N>', 'same seed, same result (default: 1)')
    .helpOption('-h, --help', 'print this help')
  addNetworkFlags(addSizesFlag(addClusterFlags(command)))
  return addModelFlags(addPolicyFlags(command), { windowFlag: '--stream-window <SIZE>' }).addHelpText(
    'after',
    examples(
      'timeline traces/ --workers 4 --window 3steps --out run.json',
      'timeline profile.json --workers 8 --trace-workers 0,1 --window 2s@30s --out run.json.gz',
      'timeline traces/ --workers 4 --policy priority --out priority.json'
    )
  )
}

export function addValidate(program: Command): Command {
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

export function addServe(program: Command): Command {
  return program
    .command('serve')
    .description('Serves the page on this machine: drop traces there and see the curve. The first line it prints is the address.')
    .option('--port <N>', 'port on 127.0.0.1; 0 for any that is free (default: 8747)')
    .option('--open', 'open the page in the browser')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', examples('serve', 'serve --port 0'))
}
