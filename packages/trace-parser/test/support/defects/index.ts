import type { Defect } from './defect.ts'
import { runMetadataDefects } from './runMetadata.ts'
import { timelineDefects } from './timeline.ts'

export const defects: Readonly<Record<string, Defect>> = { ...runMetadataDefects, ...timelineDefects }

/** The list that stands beside the files: a line each. */
export function listOfDefects(): string {
  const lines = Object.keys(defects)
    .sort()
    .map(name => `${name}\n  Source: ${defects[name].source}\n  Defect: ${defects[name].about}`)
  return `Each file was made for this project, with a defect that the named source reports, in small. test/support/defects makes them.\n\n${lines.join('\n')}\n`
}
