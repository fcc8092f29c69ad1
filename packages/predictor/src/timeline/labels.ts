import { OperationKind } from '@foretrain/core-wasm'
import type { Profile } from '@foretrain/trace-parser'

/** What an operation's slice says whenever it is drawn. */
export interface OperationLabel {
  name: string
  /** `"name":"conv1/kernel"`. */
  nameArgument: string
  /** The arguments that are the same in every step, as JSON without the braces. */
  arguments: string
}

/**
 * Arguments by which the importer of trace-parser reads a timeline back: number, name, type, server and dependencies of the operation. What
 * differs from step to step (bytes, times, template) stands behind them.
 */
export function labelsOf(profile: Profile): OperationLabel[] {
  return profile.operations.map(({ name, type, kind, server, dependencies }, id) => {
    const nameArgument = `"name":${JSON.stringify(name)}`
    const where = kind === 'compute' ? '' : `,"server":${server}`
    return {
      name,
      nameArgument,
      arguments: `${nameArgument},"op":${JSON.stringify(type)},"id":${id}${where},"dependencies":[${dependencies.join(',')}]`
    }
  })
}

export function isTransfer(kind: number): boolean {
  return kind === OperationKind.pull || kind === OperationKind.push
}
