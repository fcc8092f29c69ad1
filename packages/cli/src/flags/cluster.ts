import type { Placement, Question } from '@foretrain/predictor'
import { parseNumbers, parseWhole, parseWorkers, quoted } from '@foretrain/predictor/text'
import type { ClusterAsked } from '../cluster/clusterFile.ts'
import { CommandLineError } from '../errors.ts'
import { readSmallFile } from '../io/smallFile.ts'

/** Flags that say which hosts there are and what is on them. */
export interface ClusterFlags {
  workers?: string
  servers?: string
  placement?: string
  partitionVariables?: string
  cluster?: string
}

/** What stands in the files that flags name. */
export interface ClusterFiles {
  /** With its name. */
  cluster?: { name: string; asked: ClusterAsked }
  placement?: Placement
}

const placementRules = ['profile', 'round-robin', 'greedy'] as const
const mostPlacementBytes = 4 * 1024 * 1024
/** Of each, three resources are raised one by one. */
const largestServers = 1024
const mostParts = 64

/** Reads the files of `--cluster` and `--placement`; their libraries are loaded only when they are needed. */
export async function readClusterFiles({ cluster, placement }: ClusterFlags): Promise<ClusterFiles> {
  const files: ClusterFiles = {}
  if (cluster !== undefined) {
    if (cluster === '') throw new CommandLineError('--cluster "": write the name of a YAML file')
    const [{ parseClusterFile }, { mostYamlBytes }] = await Promise.all([
      import('../cluster/clusterFile.ts'),
      import('../cluster/yamlFile.ts')
    ])
    files.cluster = { name: cluster, asked: parseClusterFile(cluster, await readSmallFile(cluster, mostYamlBytes)) }
  }
  if (placement !== undefined && !isRule(placement)) {
    if (!/\.json$/i.test(placement))
      throw new CommandLineError(
        `--placement ${quoted(placement)}: accepted: ${placementRules.join(', ')}, or a file that ends in .json`
      )
    const { parsePlacementFile } = await import('../cluster/placementMap.ts')
    files.placement = parsePlacementFile(placement, await readSmallFile(placement, mostPlacementBytes))
  }
  return files
}

function isRule(text: string): text is (typeof placementRules)[number] {
  return placementRules.some(rule => rule === text)
}

/**
 * What flags and files say of the cluster: a flag overrides the file's field of the same name, and what a group or a server of the file says
 * of itself stays.
 */
export function parseClusterFlags(
  flags: ClusterFlags,
  files: ClusterFiles
): Pick<Question, 'workers' | 'servers' | 'placement' | 'variableParts' | 'hosts'> {
  const { asked, name } = files.cluster ?? {}
  const { placement } = flags
  return {
    workers: workersOf(flags.workers, asked, name),
    servers:
      flags.servers === undefined
        ? asked?.servers
        : parseNumbers('--servers', flags.servers, {
            what: 'numbers of servers such as 2, 1-4 or 1,2,4',
            one: 'server',
            largest: largestServers
          }),
    placement: placement !== undefined && isRule(placement) ? placement : (files.placement ?? asked?.placement),
    variableParts:
      flags.partitionVariables === undefined
        ? undefined
        : parseWhole('--partition-variables', flags.partitionVariables, 1, mostParts),
    hosts: asked?.hosts
  }
}

function workersOf(text: string | undefined, asked: ClusterAsked | undefined, name: string | undefined): number[] {
  const most = asked?.hosts.workers.reduce((sum, { count }) => sum + count, 0)
  if (text === undefined) {
    if (most === undefined)
      throw new CommandLineError('predict needs cluster sizes: --workers 8, 1-16 or 1,2,4,8, or --cluster FILE.yaml')
    return [most]
  }
  const workers = parseWorkers('--workers', text)
  const largest = workers[workers.length - 1]
  if (most !== undefined && largest > most)
    throw new CommandLineError(`--workers ${quoted(text)}: ${name} has ${most} ${most === 1 ? 'worker' : 'workers'}`)
  return workers
}
