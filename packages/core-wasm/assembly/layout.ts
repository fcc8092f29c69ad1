/**
 * The memory map, as code. Two kinds of block lie in linear memory; the host allocates both and finds every field through the
 * constants that this file exports.
 *
 *   job block          what every worker repeats; read-only while simulations run, shared by any number of them
 *   ┌────────┬──────┬────────┬───────┬─────────────────┬────────────┬─────────┬──────────────────────────────┬──────────────────────┐
 *   │ header │ kind │ server │ joins │ successor start │ successors │ amounts │ releases: all, pulls, others │ first turn, priority │
 *   └────────┴──────┴────────┴───────┴─────────────────┴────────────┴─────────┴──────────────────────────────┴──────────────────────┘
 *
 *   simulation block   all state of one run; a core has no other
 *   ┌────────┬────────────────┬────────────────────────────┬─────────────┬───────┬─────────┬─────────┬─────┬────────────┐
 *   │ header │ ordinals, work │ workers: each with its     │ connections │ links │ servers │ records │ log │ link heaps │    + event heap,
 *   │        │ list (per job) │ stations, joins, lists … │             │       │         │         │     │            │      which may grow
 *   └────────┴────────────────┴────────────────────────────┴─────────────┴───────┴─────────┴─────────┴─────┴────────────┘
 *
 * Addresses are absolute bytes. Everything is aligned to 8. Times are µs, sizes bytes, rates bytes per µs.
 */

// ------------------------------------------------------------------------------------------------ job block, header
export const JOB_OPERATIONS: i32 = 0
export const JOB_TEMPLATES: i32 = 4
/** Operations without dependencies. */
export const JOB_RELEASES: i32 = 8
export const JOB_PUSHES: i32 = 12
export const JOB_PULLS: i32 = 56
export const JOB_KIND: i32 = 16
export const JOB_SERVER: i32 = 20
/** i32[n]: ordinal among the joins (operations with two or more dependencies); −1 for the others. */
export const JOB_JOIN_INDEX: i32 = 24
export const JOB_SUCCESSOR_START: i32 = 28
export const JOB_SUCCESSORS: i32 = 32
export const JOB_AMOUNT: i32 = 36
export const JOB_RELEASE_OPERATION: i32 = 40
export const JOB_RELEASE_US: i32 = 44
/** f64[k · n]: what a stream may send in its first turn; 0 = SIM_TURN_FIRST for all. */
export const JOB_FIRST_TURN: i32 = 48
export const JOB_JOINS: i32 = 52
/** i32[joins]: how many dependencies each has. */
export const JOB_JOIN_DEPENDENCIES: i32 = 60
/** The releases once more, in two parts. Pulls, by template and server: those of server s in template t stand from start[t · servers + s]. */
export const JOB_PULL_SERVERS: i32 = 64
export const JOB_PULL_START: i32 = 68 // i32[k · servers + 1]
export const JOB_PULL_OPERATION: i32 = 72
export const JOB_PULL_US: i32 = 76
/** Operations without dependencies that are no pulls, template by template. */
export const JOB_OTHERS: i32 = 80
export const JOB_OTHER_OPERATION: i32 = 84
export const JOB_OTHER_US: i32 = 88
/** i32[n]: order of streams that wait, lower first; 0 = all alike. */
export const JOB_PRIORITY: i32 = 92
export const JOB_HEADER_BYTES: i32 = 96

// ------------------------------------------------------------------------------------------------ simulation block, header
// Counts that the host writes before plan().
export const SIM_JOB: i32 = 0
export const SIM_WORKERS: i32 = 4
export const SIM_SERVERS: i32 = 8
export const SIM_COMPUTE_SLOTS: i32 = 12
export const SIM_UPDATE_SLOTS: i32 = 16
export const SIM_WORKER_PARSE_SLOTS: i32 = 20
export const SIM_SERVER_PARSE_SLOTS: i32 = 24
/** Transfers that exceed the first turn in some template. */
export const SIM_LONG_STREAMS: i32 = 28
export const SIM_LOG_WORKERS: i32 = 32
export const SIM_RECORD_CAPACITY: i32 = 36
export const SIM_LOG_CAPACITY: i32 = 40
/** 1: templates in order, 0: at random. */
export const SIM_IN_ORDER: i32 = 44
/** 1: worker links can be the bottleneck; 0: every connection is limited by its server's link alone. */
export const SIM_WORKER_LINKS: i32 = 48
// The event heap: outside the block because it may be moved to a larger place.
export const SIM_EVENTS: i32 = 52
export const SIM_EVENT_CAPACITY: i32 = 56
// State counters.
export const SIM_EVENT_COUNT: i32 = 60
export const SIM_RECORD_COUNT: i32 = 64
export const SIM_LOG_COUNT: i32 = 68
/** Busy connections per direction (pull, push): entries of the busy lists. */
export const SIM_BUSY_COUNT: i32 = 72 // 2 × i32
/** Directions whose shares must be settled before time advances. */
export const SIM_UNSETTLED: i32 = 80 // 2 × i32
export const SIM_LINK_TIME_COUNT: i32 = 88
/** Steps whose last push has completed: the clock of staleness. */
export const SIM_PUSHED_STEPS: i32 = 92
// f64 parameters and state.
export const SIM_TURN_FIRST: i32 = 96
export const SIM_TURN_LATER: i32 = 104
export const SIM_STEP_OVERHEAD: i32 = 112
export const SIM_WORKER_PARSE_PER_BYTE: i32 = 120
export const SIM_WORKER_PARSE_FIXED: i32 = 128
export const SIM_SERVER_PARSE_PER_BYTE: i32 = 136
export const SIM_SERVER_PARSE_FIXED: i32 = 144
export const SIM_ACK_FRACTION: i32 = 152
/** Delay of a full buffer in front of a server's link. */
export const SIM_QUEUE: i32 = 160 // 2 × f64: pull, push
export const SIM_PHASE_SPAN: i32 = 176
export const SIM_NOW: i32 = 184
export const SIM_COMPLETED_STEPS: i32 = 192
export const SIM_EVENTS_TAKEN: i32 = 200
export const SIM_STATISTICS_SINCE: i32 = 208
// Addresses of regions, written by plan().
export const SIM_LONG_INDEX: i32 = 216 // i32[n]: operation → ordinal among the long streams, −1 otherwise
export const SIM_WORKER: i32 = 220 // W × SIM_WORKER_STRIDE bytes: WORKER_…, then what lies at the following offsets
export const SIM_JOIN: i32 = 228 // joins × JOIN_BYTES
export const SIM_NEXT: i32 = 232 // i32[waiting streams]: the entry behind it in its connection's list (0 = last)
export const SIM_LONG: i32 = 236 // long streams × LONG_BYTES
export const SIM_CONNECTION: i32 = 240 // 2 · W · M × CONNECTION_BYTES
export const SIM_BUSY_LIST: i32 = 244 // i32[2 · W · M]
export const SIM_LINK: i32 = 248 // links × LINK_BYTES
export const SIM_LINK_TIMES: i32 = 252 // i32[links]: heap of links by LINK_NEXT
export const SIM_SERVER_STATION: i32 = 256 // slots.ts: update, parse and message of each server
export const SIM_SERVER_STATE: i32 = 260 // M × SERVER_BYTES
export const SIM_RECORD: i32 = 264
export const SIM_LOG: i32 = 268
export const SIM_LOG_READY: i32 = 272 // f64[log workers · n · 2]: ready and start of streams under way
/** Room for the heaps of all links: a server's link is crossed by every worker's connection, a worker's by every server's. */
export const SIM_LINK_HEAPS: i32 = 276
/** Rows of each direction's share table; 0: all share equally. */
export const SIM_SHARE_ROWS: i32 = 280
export const SIM_SHARE_TABLE: i32 = 284 // SHARE_BYTES each: pull rows, then push rows
/** Slots in which a server prepares pulls; 0: those in which it parses. */
export const SIM_MESSAGE_SLOTS: i32 = 288
/** 1: each connection has a link of its own, its limit; only together with worker links. */
export const SIM_FLOW_LINKS: i32 = 292
export const SIM_MESSAGE_PER_BYTE: i32 = 296
export const SIM_MESSAGE_FIXED: i32 = 304
/** Depth of the token bucket of each server link; 0: none. */
export const SIM_BURST: i32 = 312
/** The same for the first turn of a connection that turns busy. */
export const SIM_START_DELAY: i32 = 320 // 2 × f64: pull, push
/** Streams that can be entries of a connection's list: the pulls first, whose number is the second. */
export const SIM_WAITING: i32 = 336
export const SIM_WAITING_PULLS: i32 = 340
export const SIM_WAITING_INDEX: i32 = 344 // i32[n]: operation → ordinal among them, −1 otherwise
export const SIM_WORK: i32 = 352 // n × WORK_BYTES: operations whose end is known and whose dependents have not been told
// Offsets in a worker's block, as above.
export const SIM_KEY: i32 = 348 // i32[waiting pulls]: releases of the connection before it was appended, as an index into the job's pulls
export const SIM_STATION: i32 = 360 // slots.ts: compute, parse
export const SIM_WORKER_STRIDE: i32 = 364
export const SIM_HEAP_POSITION: i32 = 356 // i32[2 · W · M]: where each connection's tag stands in its link's heap
/** Of each worker, for the chunk queues of its connections; 0: no direction has priority. */
export const SIM_QUEUE_BYTES: i32 = 368
export const SIM_CHUNK_QUEUE: i32 = 372 // offset in a worker's block
/** i32[2 · M · 2]: of each direction and server, where the queue of its connection lies behind SIM_CHUNK_QUEUE, and places in its ring (0: it takes turns). */
export const SIM_QUEUE_PLACE: i32 = 376
/** A stream is handed over in chunks of so many bytes, Infinity = whole; at most SIM_CREDIT bytes are handed over at a time, each chunk in SIM_CHUNK_US. */
export const SIM_PARTITION: i32 = 384
export const SIM_CREDIT: i32 = 392
export const SIM_CHUNK_US: i32 = 400
export const SIM_HEADER_BYTES: i32 = 408

// ------------------------------------------------------------------------------------------------ records inside the regions
// Worker. What most events touch comes first.
export const WORKER_TEMPLATE: i32 = 0
/** Operations of the step whose end is not known yet. */
export const WORKER_OPERATIONS_LEFT: i32 = 4
export const WORKER_PUSHES_LEFT: i32 = 8
/** SIM_PUSHED_STEPS at the step's first pull; −1 before it. */
export const WORKER_PUSHED_AT_PULL: i32 = 12
export const WORKER_LATENCY: i32 = 16
export const WORKER_COMPUTE_SCALE: i32 = 24
export const WORKER_COMPUTE_BUSY: i32 = 32
/** The latest end known of an operation of this step, and of a push. */
export const WORKER_LAST_END: i32 = 40
export const WORKER_LAST_PUSH: i32 = 48
/** From when the step's releases count: its start, or later when requests have to queue. */
export const WORKER_RELEASE_FROM: i32 = 56
export const WORKER_STEP_START: i32 = 64
export const WORKER_STEP: i32 = 72
export const WORKER_STALENESS: i32 = 76
/** Releases of this step already made by RELEASE_ROOTS. */
export const WORKER_RELEASED: i32 = 84
export const WORKER_RANDOM: i32 = 88 // 4 × i32: the stream of phases and templates
/** A stream of its own: what is drawn for shares must not change phases and templates. */
export const WORKER_LUCK: i32 = 104 // 4 × i32
export const WORKER_BYTES: i32 = 120

// Join: an operation that waits for several.
/** The latest end known of a dependency. Left from earlier steps it does no harm: what is to come is later. */
export const JOIN_READY: i32 = 0
/** Dependencies whose end is not known yet; starts again when it reaches 0. */
export const JOIN_LEFT: i32 = 8
export const JOIN_BYTES: i32 = 16

// Entry of the work list.
export const WORK_END: i32 = 0
export const WORK_OPERATION: i32 = 8
export const WORK_BYTES: i32 = 16

// Long stream: what a stream that needs several turns must remember.
export const LONG_REST: i32 = 0
/** When its next turn may start. */
export const LONG_EARLIEST: i32 = 8
export const LONG_BYTES: i32 = 16

// Connection (direction, worker, server). What the end of a turn touches comes first: one line of a cache.
/** First and last entry of its list: 2 · (operation + 1), plus 1 when the stream has had a turn. */
export const CONNECTION_HEAD: i32 = 0
export const CONNECTION_TAIL: i32 = 4
/** The stream whose turn is on the wire, or waits in front of it (operation + 1); 0 = idle. */
export const CONNECTION_CURRENT: i32 = 8
/** 1 when the turn on the wire is its stream's last. */
export const CONNECTION_LAST_TURN: i32 = 12
/** Link whose clock its tag is on; −1 until the shares are settled. */
export const CONNECTION_LINK: i32 = 16
/** Of a pull connection: the next of the job's pulls to be taken, and where those of this step end. */
export const CONNECTION_CURSOR: i32 = 20
export const CONNECTION_CURSOR_END: i32 = 24
// Constant: where it belongs, and the link that it crosses.
export const CONNECTION_WORKER: i32 = 28
export const CONNECTION_SERVER: i32 = 32
export const CONNECTION_SERVER_LINK: i32 = 36
export const CONNECTION_WEIGHT: i32 = 40
/** Bytes of the turn under way, with what was sent at once. */
export const CONNECTION_TURN_BYTES: i32 = 48
export const CONNECTION_IDLE_SINCE: i32 = 56
/** When the next ramp event is due; others are stale. Below 0: none is, and, if finite, so much time on the link is missing until it. */
export const CONNECTION_RAMP_DUE: i32 = 64
/** Random factor of its weight, drawn when it turns busy after a long silence. */
export const CONNECTION_LUCK: i32 = 72
/** Bytes that the link has to send, while the connection waits for its first share. */
export const CONNECTION_WIRE_BYTES: i32 = 80
/** When the event that starts the next pull on the idle connection is due; −1: there is none. */
export const CONNECTION_REQUEST_DUE: i32 = 88
/** Address of the row of the share table that it follows. */
export const CONNECTION_SHARE: i32 = 96
/** Index of its weight in the ramp: 0 … RAMP_STEPS. */
export const CONNECTION_RAMP_STEP: i32 = 100
export const CONNECTION_BUSY_POSITION: i32 = 104
/** The connection's bottleneck as found by the water filling under way. */
export const CONNECTION_FOUND_LINK: i32 = 108
/** Not yet given a share by the water filling under way. */
export const CONNECTION_UNFIXED: i32 = 112
/** Constant. −1 when worker links are never the bottleneck. */
export const CONNECTION_WORKER_LINK: i32 = 116
/** Constant. The link that is its own limit; −1 when connections have none. */
export const CONNECTION_FLOW_LINK: i32 = 120
/** Index of the first pull that was not released when an entry was last appended to the list. */
export const CONNECTION_RELEASED: i32 = 124
export const CONNECTION_BYTES: i32 = 128

// Chunk queue of a connection with priority: this, then the ring of what is handed over, then the heap of streams that wait.
/** Bytes handed over and not yet sent, with the chunk under hand-over. */
export const QUEUE_HANDED: i32 = 0
/** The chunk under hand-over: when it ends, its bytes, its mark (0: there is none). */
export const QUEUE_OVER_AT: i32 = 8
export const QUEUE_OVER_BYTES: i32 = 16
export const QUEUE_OVER_MARK: i32 = 24
/** 1: an event of this time will look for a chunk to hand over. */
export const QUEUE_EXPECTED: i32 = 28
export const QUEUE_WAITING: i32 = 32
/** Of the stream that came last. */
export const QUEUE_SEQUENCE: i32 = 36
export const QUEUE_RING_FIRST: i32 = 40
export const QUEUE_RING_COUNT: i32 = 44
export const QUEUE_BYTES: i32 = 48

// Place of the ring: chunks of one stream, handed over one after the other: so many whole ones, then, if marked, its last.
export const RUN_LAST_BYTES: i32 = 0
/** 4 · (operation + 1) + MARK_…. */
export const RUN_MARK: i32 = 8
export const RUN_WHOLE: i32 = 12
export const RUN_BYTES: i32 = 16
/** With the last chunk of its stream. */
export const MARK_LAST: i32 = 1
/** With the first. */
export const MARK_FIRST: i32 = 2

// Entry of the heap: a stream that is not yet handed over whole.
export const WAITING_REST: i32 = 0
/** 2 · operation, plus 1 when a chunk was handed over. */
export const WAITING_STREAM: i32 = 8
export const WAITING_SEQUENCE: i32 = 12
export const WAITING_BYTES: i32 = 16

// Link: server out 0…M−1, server in M…2M−1, then (with worker links) worker in 2M…2M+W−1, worker out 2M+W…2M+2W−1, then (with flow links)
// one per connection.
export const LINK_CAPACITY: i32 = 0
/** λ: bytes per µs per unit of weight. */
export const LINK_LEVEL: i32 = 8
/** V: bytes that a connection of weight 1 attached to this link has been granted. */
export const LINK_CLOCK: i32 = 16
export const LINK_CLOCK_AT: i32 = 24
/** Σ of the weights of the attached connections. */
export const LINK_WEIGHT: i32 = 32
/** Time of the next end of a turn; Infinity when none. */
export const LINK_NEXT: i32 = 40
/** When it turned busy or idle; or when statistics began, if that was later and it was busy. */
export const LINK_SINCE: i32 = 48
export const LINK_BUSY_US: i32 = 56
export const LINK_SENT_BYTES: i32 = 64
/** Water filling: capacity and weight not yet given away. */
export const LINK_REST_CAPACITY: i32 = 72
export const LINK_REST_WEIGHT: i32 = 80
export const LINK_REST_COUNT: i32 = 88
/** Busy connections that cross this link. */
export const LINK_CROSSING: i32 = 92
/** Heap of attached connections by tag. */
export const LINK_HEAP: i32 = 96
export const LINK_HEAP_COUNT: i32 = 100
export const LINK_TIME_POSITION: i32 = 104
/** The same host's link in the other direction. */
export const LINK_REVERSE: i32 = 108
/** What data can use at most, acknowledgements or not. */
export const LINK_MOST: i32 = 112
/** Token bucket, bytes, as of the time when the link last turned busy, less what was sent at once since. */
export const LINK_TOKENS: i32 = 120
export const LINK_BYTES: i32 = 128

// Server.
export const SERVER_UPDATE_SCALE: i32 = 0
export const SERVER_UPDATE_BUSY: i32 = 8
/** 1: the job has pulls from it. */
export const SERVER_PULLED: i32 = 16
/** Summed cost of parsing pushes and preparing pulls. */
export const SERVER_MESSAGE_BUSY: i32 = 24
export const SERVER_BYTES: i32 = 32

// Event: time, then class and worker, then operation. Ordered by all three.
export const EVENT_TIME: i32 = 0
export const EVENT_CLASS_WORKER: i32 = 8
export const EVENT_OPERATION: i32 = 12
export const EVENT_BYTES: i32 = 16

// Entry of a link's heap.
export const TAG_VALUE: i32 = 0
export const TAG_CONNECTION: i32 = 8
export const TAG_BYTES: i32 = 16

// Record of a completed step.
export const RECORD_WORKER: i32 = 0
export const RECORD_TEMPLATE: i32 = 4
export const RECORD_STALENESS: i32 = 8
export const RECORD_START: i32 = 16
export const RECORD_END: i32 = 24
export const RECORD_BYTES: i32 = 32

// Log entry of an executed operation.
export const LOG_WORKER: i32 = 0
export const LOG_STEP: i32 = 4
export const LOG_OPERATION: i32 = 8
export const LOG_READY: i32 = 16
export const LOG_START: i32 = 24
export const LOG_WIRE_END: i32 = 32
export const LOG_END: i32 = 40
export const LOG_BYTES: i32 = 48

/** Steps in which a newcomer's weight grows. */
export const RAMP_STEPS: i32 = 7
// Row of a share table: how a connection that turns busy beside so many others comes to its share.
/** Time between two steps; 0 = the full weight at once. */
export const SHARE_STEP_US: i32 = 0
/** Half-width of the random factor, 0 … 1. */
export const SHARE_SPREAD: i32 = 8
export const SHARE_WEIGHTS: i32 = 16 // f64[RAMP_STEPS + 1]
export const SHARE_BYTES: i32 = 80

// ------------------------------------------------------------------------------------------------ codes
export const KIND_COMPUTE: i32 = 0
export const KIND_UPDATE: i32 = 1
export const KIND_PULL: i32 = 2
export const KIND_PUSH: i32 = 3
export const KIND_DELAY: i32 = 4

export const STATUS_DONE: i32 = 0
/** The given number of events was taken. */
export const STATUS_PAUSED: i32 = 1
/** The event heap might not hold the next event's consequences: give it a larger place and go on. */
export const STATUS_EVENTS_FULL: i32 = 2
export const STATUS_RECORDS_FULL: i32 = 3
export const STATUS_LOG_FULL: i32 = 4
/** Nothing is left to happen although steps are under way: the graph has a cycle. */
export const STATUS_DEADLOCK: i32 = 5
