/**
 * The memory map, as code. Two kinds of block lie in linear memory; the host allocates both and finds every field through the
 * constants that this file exports.
 *
 *   job block          what every worker repeats; read-only while simulations run, shared by any number of them
 *   ┌────────┬──────┬────────┬───────┬─────────────────┬────────────┬─────────┬──────────────────────────────┬────────────┐
 *   │ header │ kind │ server │ joins │ successor start │ successors │ amounts │ releases: all, pulls, others │ first turn │
 *   └────────┴──────┴────────┴───────┴─────────────────┴────────────┴─────────┴──────────────────────────────┴────────────┘
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
/** Workers per direction (pull, push) whose shares are found one by one: entries of the mixed lists. */
export const SIM_MIXED_COUNT: i32 = 72 // 2 × i32
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
/** 1: server j is on worker j's host: they have one link out and one in, and a loopback link each way between them (hosts.ts). */
export const SIM_COLOCATED: i32 = 224
export const SIM_JOIN: i32 = 228 // joins × JOIN_BYTES
export const SIM_NEXT: i32 = 232 // i32[waiting streams]: the entry behind it in its connection's list (0 = last)
export const SIM_LONG: i32 = 236 // long streams × LONG_BYTES
export const SIM_CONNECTION: i32 = 240 // 2 · W · M × CONNECTION_BYTES
export const SIM_MIXED_LIST: i32 = 244 // i32[2 · W]: worker links
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
/** Server links per direction whose level must be found again: entries of the open lists. */
export const SIM_OPEN_COUNT: i32 = 368 // 2 × i32
export const SIM_OPEN_LIST: i32 = 376 // i32[2 · M]: server links
export const SIM_SHARING: i32 = 380 // 2 · M × SHARING_BYTES
/** Heap (address, count) of the mixed workers by the level at which the filling under way will next fix something of theirs. */
export const SIM_FILLING: i32 = 384
/** Links and connections looked at to find shares, since the start: what sharing costs, whatever the machine. */
export const SIM_SHARING_VISITS: i32 = 392
/** Room for the heaps of SIM_SHARING and SIM_FILLING, and i32[2 · W · M]: where each connection stands in one of them. */
export const SIM_WATCH_HEAPS: i32 = 400
export const SIM_WATCH_POSITION: i32 = 404
/** Of each worker, for the chunk queues of its connections; 0: no direction has priority. */
export const SIM_QUEUE_BYTES: i32 = 408
export const SIM_CHUNK_QUEUE: i32 = 412 // offset in a worker's block
/** i32[2 · M · 2]: of each direction and server, where the queue of its connection lies behind SIM_CHUNK_QUEUE, and places in its ring (0: it takes turns). */
export const SIM_QUEUE_PLACE: i32 = 416
/** A stream is handed over in chunks of so many bytes, Infinity = whole; at most SIM_CREDIT bytes are handed over at a time, each chunk in SIM_CHUNK_US. */
export const SIM_PARTITION: i32 = 424
export const SIM_CREDIT: i32 = 432
export const SIM_CHUNK_US: i32 = 440
// How workers wait for each other (docs/semantics.md, "Modes").
export const SIM_MODE: i32 = 448 // MODE_…
/** ssp: steps that a worker may be ahead of the slowest. */
export const SIM_STALENESS_BOUND: i32 = 452
/** sync: gradients of each variable that a round takes. */
export const SIM_NEEDED: i32 = 456
/** sync: operations that are gradients of a round; 0: the step itself is the only one. */
export const SIM_GRADIENTS: i32 = 460
/** sync: rounds that have ended. ssp: steps that every worker has completed. */
export const SIM_ROUND: i32 = 464
/** Gradients of this round that are not complete: too few have arrived, or their update runs. */
export const SIM_GRADIENTS_LEFT: i32 = 468
/** When SIM_ROUND last grew. */
export const SIM_ROUND_END: i32 = 472
/** Cost of adding up a gradient over that of its update. */
export const SIM_ACCUMULATE_SCALE: i32 = 480
export const SIM_GRADIENT_INDEX: i32 = 488 // i32[n]: operation → ordinal among the gradients, −1 otherwise
export const SIM_GRADIENT: i32 = 492 // GRADIENT_BYTES each
export const SIM_RING: i32 = 496 // i32[staleness bound + 2]: workers that have completed s steps, at s modulo the length
export const SIM_HEADER_BYTES: i32 = 504

// ------------------------------------------------------------------------------------------------ records inside the regions
// Worker. What most events touch comes first.
export const WORKER_TEMPLATE: i32 = 0
/** Operations of the step whose end is not known yet. */
export const WORKER_OPERATIONS_LEFT: i32 = 4
export const WORKER_PUSHES_LEFT: i32 = 8
/** SIM_PUSHED_STEPS at the step's first pull; −1 before it. */
export const WORKER_PUSHED_AT_PULL: i32 = 12
export const WORKER_LATENCY: i32 = 16
/** Of this step. */
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
/** 1 while it waits for others: in sync for the end of the round, in ssp for the slowest worker. */
export const WORKER_WAITS: i32 = 80
/** Releases of this step already made by RELEASE_ROOTS. */
export const WORKER_RELEASED: i32 = 84
export const WORKER_RANDOM: i32 = 88 // 4 × i32: the stream of phases and templates
/** A stream of its own: what is drawn for shares must not change phases and templates. */
export const WORKER_LUCK: i32 = 104 // 4 × i32
/** Constant: how likely a step straggles, the scale of one that does not, and the factor on it of one that does. */
export const WORKER_STRAGGLE_PROBABILITY: i32 = 120
export const WORKER_HOST_SCALE: i32 = 128
export const WORKER_STRAGGLE_FACTOR: i32 = 136
/** A stream of its own, for the same reason. */
export const WORKER_STRAGGLE: i32 = 144 // 4 × i32
/** SIM_ROUND when its step began. */
export const WORKER_ROUND: i32 = 160
/** Gradients of its step that were taken. */
export const WORKER_TAKEN: i32 = 164
/** Time waited for others of which the record of this step tells, and since when it waits. */
export const WORKER_WAITED: i32 = 168
export const WORKER_WAITS_SINCE: i32 = 176
export const WORKER_BYTES: i32 = 184

// Join: an operation that waits for several.
/** The latest end known of a dependency. Left from earlier steps it does no harm: what is to come is later. */
export const JOIN_READY: i32 = 0
/** Dependencies whose end is not known yet; starts again when it reaches 0. */
export const JOIN_LEFT: i32 = 8
export const JOIN_BYTES: i32 = 16

// Gradient of a round: what is added up for one variable.
/** Gradients of this round that have been taken, and those of them that have been added up. */
export const GRADIENT_TAKEN: i32 = 0
export const GRADIENT_ADDED: i32 = 4
export const GRADIENT_BYTES: i32 = 8

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
/** When the next ramp event is due; others are stale. */
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
/** The connection's bottleneck as found by the water filling under way. */
export const CONNECTION_FOUND_LINK: i32 = 104
/** FLOW_OFF, FLOW_OPEN or FLOW_FIXED. */
export const CONNECTION_FLOW: i32 = 108
/** Constant. −1 when worker links are never the bottleneck. */
export const CONNECTION_WORKER_LINK: i32 = 112
/** Constant. The link that is its own limit; −1 when connections have none. */
export const CONNECTION_FLOW_LINK: i32 = 116
/** Index of the first pull that was not released when an entry was last appended to the list. */
export const CONNECTION_RELEASED: i32 = 120
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
// one per connection, then (with servers on the workers' hosts) one from each server to the worker on its host and one back. With those, the
// links of a server's host are those of the worker on it, which has none among 2M…2M+2W−1.
export const LINK_CAPACITY: i32 = 0
/** λ: bytes per µs per unit of weight. */
export const LINK_LEVEL: i32 = 8
/** V: bytes that a connection of weight 1 attached to this link has been granted. */
export const LINK_CLOCK: i32 = 16
export const LINK_CLOCK_AT: i32 = 24
/** Σ of the weights of the attached connections; not used with worker links. */
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
/** Heap (address, count) of attached connections by tag. */
export const LINK_HEAP: i32 = 96
export const LINK_HEAP_COUNT: i32 = 100
export const LINK_TIME_POSITION: i32 = 104
/** The same host's link in the other direction. */
export const LINK_REVERSE: i32 = 108
/** What data can use at most, acknowledgements or not. */
export const LINK_MOST: i32 = 112
/** Token bucket, bytes, as of the time when the link last turned busy, less what was sent at once since. */
export const LINK_TOKENS: i32 = 120
/** Of a worker's link: STANDING_IDLE and so on. Of a server's: 1 when its level must be found again. */
export const LINK_STATE: i32 = 128
export const LINK_BYTES: i32 = 136

// Sharing of a server's link, only with worker links (standing.ts). Sums are of twice the precision of a double: high part, low part.
/** Σ of the weights of the connections of roomy workers that the link limits. */
export const SHARING_WEIGHT: i32 = 0
/** Σ of the rates of the connections of roomy and full workers that something else limits. */
export const SHARING_TAKEN: i32 = 16
export const SHARING_WEIGHT_COUNT: i32 = 32
export const SHARING_TAKEN_COUNT: i32 = 36
/** Heap (address, count) of the former by the level above which something else might limit them. */
export const SHARING_RISING: i32 = 40
/** Heap (address, count) of the latter by minus the level below which this link would limit them. */
export const SHARING_FALLING: i32 = 48
/** Exclusive or of the numbers of all busy connections that cross the link: the number of one that is alone. */
export const SHARING_CROSSING: i32 = 56
export const SHARING_BYTES: i32 = 64

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

// Entry of a heap of connections; its descriptor is the address of its entries and, 4 bytes further, their count.
export const HEAP_COUNT: i32 = 4
export const TAG_VALUE: i32 = 0
export const TAG_CONNECTION: i32 = 8
export const TAG_BYTES: i32 = 16

// Record of a completed step.
export const RECORD_WORKER: i32 = 0
export const RECORD_TEMPLATE: i32 = 4
export const RECORD_STALENESS: i32 = 8
export const RECORD_TAKEN: i32 = 12
export const RECORD_START: i32 = 16
export const RECORD_END: i32 = 24
export const RECORD_WAITED: i32 = 32
export const RECORD_BYTES: i32 = 40

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

// A connection as the sharing of links sees it.
export const FLOW_OFF: i32 = 0
/** Busy, its share not found yet by the filling under way. */
export const FLOW_OPEN: i32 = 1
/** Busy, its share found. */
export const FLOW_FIXED: i32 = 2

// How a worker stands in one direction (standing.ts).
export const STANDING_IDLE: i32 = 0
/** Its link has room: each of its connections is limited by its server's link or by itself. */
export const STANDING_ROOMY: i32 = 1
/** Its link limits all its connections. */
export const STANDING_FULL: i32 = 2
/** In the list of those whose shares are found one by one. */
export const STANDING_MIXED: i32 = 3
export const MODE_ASYNC: i32 = 0
export const MODE_SSP: i32 = 1
export const MODE_SYNC: i32 = 2

export const STATUS_DONE: i32 = 0
/** The given number of events was taken. */
export const STATUS_PAUSED: i32 = 1
/** The event heap might not hold the next event's consequences: give it a larger place and go on. */
export const STATUS_EVENTS_FULL: i32 = 2
export const STATUS_RECORDS_FULL: i32 = 3
export const STATUS_LOG_FULL: i32 = 4
/** Nothing is left to happen although steps are under way: the graph has a cycle. */
export const STATUS_DEADLOCK: i32 = 5
