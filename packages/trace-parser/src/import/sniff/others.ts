/** Formats that are met where traces are and are none, or none of a parameter-server job: how they are told, and what to do instead. */

import { short } from '../../text.ts'
import type { Message } from './protobuf.ts'

/** What is needed, and how to get it. */
export const WANTED =
  'foretrain needs RunMetadata of a worker of a TensorFlow parameter-server job: session.run(…, options=RunOptions(trace_level=RunOptions.FULL_TRACE), run_metadata=m), then write m.SerializeToString() to a file'

export interface Other {
  /** As in "this is …". */
  what: string
  /** What it holds, behind that. */
  detail?: string
  /** In place of `WANTED`. */
  remedy?: string
}

const SAME_STEPS = 'the profiler that wrote it knows no transfers between tasks'
const PYTORCH = 'PyTorch trains by all-reduce or pipelines'

const MAGIC: ReadonlyArray<Other & { bytes: readonly number[] }> = [
  { what: 'a PNG picture', bytes: [0x89, 0x50, 0x4e, 0x47] },
  { what: 'a JPEG picture', bytes: [0xff, 0xd8, 0xff] },
  { what: 'a GIF picture', bytes: [0x47, 0x49, 0x46, 0x38] },
  { what: 'a PDF document', bytes: [0x25, 0x50, 0x44, 0x46] },
  { what: 'an empty ZIP archive', bytes: [0x50, 0x4b, 0x05, 0x06] },
  { what: 'a gzip file within a gzip file', bytes: [0x1f, 0x8b, 0x08], remedy: 'unpack it once' },
  { what: 'a bzip2 file', bytes: [0x42, 0x5a, 0x68], remedy: 'unpack it (bunzip2) and give what is in it' },
  { what: 'an xz file', bytes: [0xfd, 0x37, 0x7a, 0x58], remedy: 'unpack it (unxz) and give what is in it' },
  { what: 'a Zstandard file', bytes: [0x28, 0xb5, 0x2f, 0xfd], remedy: 'unpack it (unzstd) and give what is in it' },
  { what: 'a WebAssembly module', bytes: [0x00, 0x61, 0x73, 0x6d] },
  { what: 'an executable', bytes: [0x7f, 0x45, 0x4c, 0x46] },
  { what: 'an HDF5 file', bytes: [0x89, 0x48, 0x44, 0x46] },
  { what: 'a NumPy array', bytes: [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59] },
  { what: 'a SQLite database (an Nsight Systems export?)', bytes: [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66] },
  // The first entry of its table: no key, and a BundleHeaderProto of one or more shards.
  { what: 'the index of a TensorFlow checkpoint', bytes: [0x00, 0x00, 0x06, 0x08, 0x01] },
  { what: 'the index of a TensorFlow checkpoint', bytes: [0x00, 0x00, 0x07, 0x08] },
  ...[2, 3, 4, 5].map(version => ({ what: 'a Python pickle', bytes: [0x80, version] }))
]

/** By the begin of a text. */
const TEXTS: ReadonlyArray<Other & { pattern: RegExp }> = [
  { what: 'an HTML page', pattern: /^<(?:!doctype html|html)/i, remedy: 'a download that failed? Fetch the file itself' },
  { what: 'an XML document', pattern: /^<\?xml/ },
  { what: 'the list of TensorFlow checkpoints', pattern: /^model_checkpoint_path\s*:/ },
  {
    what: 'a GraphDef in text format (graph.pbtxt): operations without times',
    pattern: /^(?:#[^\n]*\n\s*)*(?:node|library|versions|meta_info_def|graph_def)\s*:?\s*[{<]/
  },
  { what: 'an operator table of TrioSim', pattern: /^OperatorID,OperatorName,/ }
]

/** By the first 64 kB of a JSON text. */
const JSONS: ReadonlyArray<Other & { pattern: RegExp }> = [
  {
    what: 'a Chakra execution trace (JSON)',
    pattern: /"(?:workload_graph|globalMetadata|global_metadata)"\s*:|"(?:COMP|COMM_COLL|COMM_SEND)_NODE"/,
    remedy: `it has no parameter servers; ${WANTED}`
  },
  {
    what: 'an execution trace of PyTorch: operators and tensors, no times',
    pattern: /^\{\s*"schema"\s*:\s*"\d[^"]*"[\s\S]*"nodes"\s*:|\[pytorch\|profiler\|execution_trace/,
    remedy: `${PYTORCH}; ${WANTED}`
  },
  {
    what: 'a trace of PyTorch (Kineto)',
    pattern: /"(?:deviceProperties|distributedInfo|schemaVersion)"\s*:|"cat"\s*:\s*"(?:cpu_op|user_annotation|cuda_runtime)"/,
    remedy: `${PYTORCH}; ${WANTED}`
  },
  {
    what: 'a timeline of Horovod',
    pattern: /"(?:NEGOTIATE_(?:ALLREDUCE|ALLGATHER|BROADCAST)|(?:MPI|NCCL|GLOO)_(?:ALLREDUCE|ALLGATHER|BROADCAST|BCAST))"/,
    remedy: `Horovod trains by all-reduce, without parameter servers; ${WANTED}`
  },
  {
    what: 'a RunMetadata as JSON',
    pattern: /"(?:stepStats|step_stats|devStats|dev_stats)"\s*:\s*[[{]/,
    remedy: 'write run_metadata.SerializeToString(), or str(run_metadata), to a file instead of MessageToJson(run_metadata)'
  }
]

const MESSAGES: Partial<Record<Message, Other>> = {
  XSpace: { what: 'an XSpace of the TensorFlow profiler (xplane.pb)', remedy: `${SAME_STEPS}; ${WANTED}` },
  OpLog: { what: 'an OpLog of tfprof: sizes and types, no times' },
  GraphDef: { what: 'a GraphDef: operations without times' },
  MetaGraphDef: { what: 'a MetaGraphDef (.meta): operations without times' },
  SavedModel: { what: 'a SavedModel: operations without times' },
  'Chakra execution trace': { what: 'a Chakra execution trace', remedy: `it has no parameter servers; ${WANTED}` }
}

/** trace.json(.gz) of the TensorFlow profiler; which processes there are is known at its end. */
export const XSPACE_TRACE: Other = {
  what: "a trace of the TensorFlow profiler's trace viewer (trace.json)",
  remedy: `${SAME_STEPS}; ${WANTED}`
}

export function otherByMagic(bytes: Uint8Array): Other | undefined {
  return MAGIC.find(({ bytes: mark }) => mark.every((byte, i) => bytes[i] === byte))
}

/** @param start of the text, without blanks in front */
export function otherText(start: string): Other | undefined {
  return TEXTS.find(({ pattern }) => pattern.test(start))
}

/** @param head the first 64 kB of a text that begins like JSON */
export function otherJson(head: string): Other | undefined {
  return JSONS.find(({ pattern }) => pattern.test(head))
}

export function otherMessage(message: Message): Other | undefined {
  return MESSAGES[message]
}

/** The sentence that refuses it. */
export function refusalOf({ what, detail = '', remedy }: Other): string {
  return `this is ${short(`${what}${detail}`)}; ${remedy ?? WANTED}`
}
