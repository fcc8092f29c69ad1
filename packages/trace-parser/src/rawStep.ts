/** What an importer makes of a file: the records of each step as they stand in it, before any interpretation. */

/** One executed operation or one received tensor, as TensorFlow's NodeExecStats has it. */
export interface RawRecord {
  /** `node_name`; "RecvTensor" for a transfer. */
  name: string
  /** `timeline_label`. */
  label: string
  /** Absolute µs (fractional where the nanosecond fields are present). */
  scheduledUs: number
  startUs: number
  endUs: number
  /** Sum of output[].tensor_description.allocation_description.requested_bytes of output 0; -1 when not recorded. */
  outputBytes: number
}

/** The records of one device. */
export interface RawDevice {
  /** As recorded. */
  device: string
  records: RawRecord[]
}

/** A node of a partition graph. */
export interface RawNode {
  name: string
  op: string
  device: string
  /** As recorded: "a", "a:1", "^a". */
  inputs: string[]
  /** Attributes of _Send and _Recv; '' and false otherwise. */
  tensorName: string
  sendDevice: string
  recvDevice: string
  clientTerminated: boolean
}

/** One traced step as its file has it. */
export interface RawStep {
  /** File, with "#n" where a file holds several steps. */
  trace: string
  devices: RawDevice[]
  /** Nodes of the partition graphs, when the step carries them. */
  nodes: RawNode[]
  /** The nodes name everything that waits and what it waits for: late starts are no sign of dependencies that are not listed. */
  isGraphExact?: boolean
  /** Of its transfers only the times are known: their records have no labels (timelines of TensorFlow, until they are completed). */
  hasBareTransfers?: boolean
  /** Transfers whose tensor was found by time. */
  matchedTransfers?: number
  /** What the file holds besides the records, by reason. */
  ignored?: Record<string, number>
}

/** A file to be read: its name and its bytes as they come. */
export interface TraceFile {
  name: string
  bytes: AsyncIterable<Uint8Array>
  /**
   * Nobody named it: it lay in a folder, fits a pattern or is in an archive. What is no trace is passed over then, instead of being refused; and of a
   * folder so are saved profiles and timelines of foretrain, which are made of traces.
   */
  foundIn?: 'folder' | 'pattern' | 'archive'
}

/** What one file, or one entry of an archive, holds. */
export interface ImportedFile {
  name: string
  /** "RunMetadata", "RunMetadata (gzip)", "RunMetadata (gzip, in tar)". */
  format: string
  bytes: number
  steps: RawStep[]
}

/**
 * An input is at fault. `message` is one sentence: file, place, what was found, what would be right. Names in it stand as they are: escape
 * it where it is shown.
 */
export class TraceError extends Error {
  override name = 'TraceError'
}
