export type { Operation, OperationKind, Profile, ProfiledStep, ProfileWarning } from './profile.ts'
export type { ImportedFile, RawDevice, RawNode, RawRecord, RawStep, TraceFile } from './rawStep.ts'
export { TraceError } from './rawStep.ts'
