import type { Comparison, Point, Prediction, Question, TimelineColumns } from '@foretrain/predictor'
import type { FileSummary } from '@foretrain/trace-parser'

/** What the page and its workers say to each other. The profile stays with the workers: it goes from the one that read it to the others. */

/** A file as the visitor gave it: its path within what was dropped. */
export interface GivenFile {
  name: string
  file: Blob
  /** It came with a folder, so it need not be a trace; what is none is passed over. */
  foundIn?: 'folder'
}

export type Asked = Omit<Question, 'profile'>

/** Of one cluster size. */
export type OneCluster = Asked & { workers: [number] }

/** What was found in the files. */
export interface Found {
  files: FileSummary[]
  /** Of the profile. Bytes are those of a step. */
  steps: number
  droppedSteps: Array<{ trace: string; reason: string }>
  operations: number
  transfers: number
  servers: number
  pullBytes: number[]
  pushBytes: number[]
  /** Mean recorded step. */
  stepMs: number
  records: { read: number; used: number; ignored: Record<string, number> }
  /** Names of files of a folder or archive that are no traces. */
  passedOver: string[]
}

export interface Tasks {
  /** Reads files into the profile that later tasks are about. */
  read: { files: GivenFile[] }
  predict: { question: Asked }
  compare: { question: OneCluster }
  /** A window of a simulated run, to draw. */
  timeline: { question: OneCluster }
  /** The same window as a file for ui.perfetto.dev. */
  timelineFile: { question: OneCluster }
  /** Reads recorded steps, and reads and simulates a saved profile, for nothing but that the browser compiles the code before it is needed. */
  warmUp: { saved: GivenFile; recorded: GivenFile[] }
}

export interface Results {
  read: Found
  predict: Prediction
  compare: Comparison
  timeline: TimelineColumns
  timelineFile: Blob
  warmUp: undefined
}

export interface Events {
  read: { done: number; total: number }
  predict: Point
  compare: { done: number; total: number }
  timeline: never
  timelineFile: never
  warmUp: never
}

export type TaskKind = keyof Tasks

export type Request =
  | { kind: 'start'; job: number; task: TaskKind; profile: number; input: Tasks[TaskKind] }
  | { kind: 'abort'; job: number }
  /** The other end of a channel to another worker. */
  | { kind: 'sibling'; port: MessagePort }

export type Reply =
  | { kind: 'event'; job: number; event: Events[TaskKind] }
  | { kind: 'result'; job: number; result: Results[TaskKind] }
  | { kind: 'failure'; job: number; name: string; message: string }
