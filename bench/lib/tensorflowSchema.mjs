/**
 * What TensorFlow records of a step, as protobufs (config.proto, step_stats.proto, graph.proto, event.proto): for decoding it as any program
 * would.
 */
import protobuf from 'protobufjs'

const schema = `
  syntax = "proto3";
  message AllocationDescription {
    int64 requested_bytes = 1; int64 allocated_bytes = 2; string allocator_name = 3;
    int64 allocation_id = 4; bool has_single_reference = 5; uint64 ptr = 6;
  }
  message Dim { int64 size = 1; string name = 2; }
  message TensorShape { repeated Dim dim = 2; bool unknown_rank = 3; }
  message TensorDescription { int32 dtype = 1; TensorShape shape = 2; AllocationDescription allocation_description = 4; }
  message NodeOutput { int32 slot = 1; TensorDescription tensor_description = 3; }
  message AllocatorMemory {
    string allocator_name = 1; int64 total_bytes = 2; int64 peak_bytes = 3; int64 live_bytes = 4; int64 allocator_bytes_in_use = 5;
  }
  message MemoryStats { int64 temp_memory_size = 1; int64 persistent_memory_size = 3; repeated int64 persistent_tensor_alloc_ids = 5; }
  message NodeExecStats {
    string node_name = 1; int64 all_start_micros = 2; int64 op_start_rel_micros = 3; int64 op_end_rel_micros = 4;
    int64 all_end_rel_micros = 5; repeated AllocatorMemory memory = 6; repeated NodeOutput output = 7; string timeline_label = 8;
    int64 scheduled_micros = 9; uint32 thread_id = 10; repeated AllocationDescription referenced_tensor = 11;
    MemoryStats memory_stats = 12; int64 all_start_nanos = 13; int64 op_start_rel_nanos = 14; int64 op_end_rel_nanos = 15;
    int64 all_end_rel_nanos = 16; int64 scheduled_nanos = 17;
  }
  message DeviceStepStats { string device = 1; repeated NodeExecStats node_stats = 2; map<uint32, string> thread_names = 3; }
  message StepStats { repeated DeviceStepStats dev_stats = 1; }
  message AttrValue { bytes s = 2; int64 i = 3; float f = 4; bool b = 5; int32 type = 6; TensorShape shape = 7; }
  message NodeDef { string name = 1; string op = 2; repeated string input = 3; string device = 4; map<string, AttrValue> attr = 5; }
  message GraphDef { repeated NodeDef node = 1; }
  message RunMetadata { StepStats step_stats = 1; repeated GraphDef partition_graphs = 3; }
  message TaggedRunMetadata { string tag = 1; RunMetadata run_metadata = 2; }
  message Event { double wall_time = 1; int64 step = 2; string file_version = 3; TaggedRunMetadata tagged_run_metadata = 8; }
`

// Plain numbers are what a program in a hurry would choose over 64-bit objects.
protobuf.util.Long = /** @type {any} */ (null)
protobuf.configure()

const { root } = protobuf.parse(schema, { keepCase: true })

export const RunMetadata = root.lookupType('RunMetadata')
export const StepStats = root.lookupType('StepStats')
export const Event = root.lookupType('Event')
