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
 *   ┌────────┬────────────────┬────────────────────────────┬─────────────┬───────┬─────────┬─────────┬─────┬─────────────┐
 *   │ header │ ordinals, work │ workers: each with its     │ connections │ links │ servers │ records │ log │ link orders │    + event heap,
 *   │        │ list (per job) │ stations, joins, lists … │             │       │         │         │     │             │      which may grow
 *   └────────┴────────────────┴────────────────────────────┴─────────────┴───────┴─────────┴─────────┴─────┴─────────────┘
 *
 * Fields of the records inside the regions stand in records.ts, codes in codes.ts; all are imported from here.
 *
 * Addresses are absolute bytes. Everything is aligned to 8. Times are µs, sizes bytes, rates bytes per µs.
 */
export * from './codes'
export * from './records'

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
/** i32[n]: messages that a transfer stands for; 0 = each is one. */
export const JOB_MESSAGES: i32 = 96
export const JOB_HEADER_BYTES: i32 = 104

// ------------------------------------------------------------------------------------------------ simulation block, header
// Counts that the host writes before plan().
export const SIM_JOB: i32 = 0
export const SIM_WORKERS: i32 = 4
export const SIM_SERVERS: i32 = 8
export const SIM_COMPUTE_SLOTS: i32 = 12
/** Of the server that has most. */
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
export const SIM_JOIN_LEFT: i32 = 228 // u16[joins]
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
/** Room for the orders of all links: a server's link is crossed by every worker's connection, a worker's by every server's. */
export const SIM_LINK_ORDERS: i32 = 276
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
export const SIM_LINK_POSITION: i32 = 356 // i32[2 · W · M]: where each connection's tag stands in its link's order
/** Server links per direction whose level must be found again: entries of the open lists. */
export const SIM_OPEN_COUNT: i32 = 368 // 2 × i32
export const SIM_OPEN_LIST: i32 = 376 // i32[2 · M]: server links
export const SIM_SHARING: i32 = 380 // 2 · M × SHARING_BYTES
/** Links and connections looked at to find shares, since the start: what sharing costs, whatever the machine. */
export const SIM_SHARING_VISITS: i32 = 392
/** Room for the orders of SIM_SHARING and SIM_FILLING, and i32[2 · W · M]: where each connection stands in one of them. */
export const SIM_WATCH_ORDERS: i32 = 400
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
/** Order (ORDER_…) of the mixed workers by the level at which the filling under way will next fix something of theirs. */
export const SIM_FILLING: i32 = 504 // ORDER_BYTES
export const SIM_JOIN_READY: i32 = 544 // offset in a worker's block: f64[joins]
export const SIM_HEADER_BYTES: i32 = 552
