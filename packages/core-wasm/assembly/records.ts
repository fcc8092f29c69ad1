/** Records inside the regions of a simulation block (layout.ts): workers, connections, links and so on, each with its fields. */

// Worker. What few events touch comes first; what most do has a line of a cache to itself, and the stations stand behind it (plan.ts).
export const WORKER_STEP_START: i32 = 0
export const WORKER_STEP: i32 = 8
export const WORKER_STALENESS: i32 = 12
/** 1 while it waits for others: in sync for the end of the round, in ssp for the slowest worker. */
export const WORKER_WAITS: i32 = 16
/** Releases of this step already made by RELEASE_ROOTS. */
export const WORKER_RELEASED: i32 = 20
export const WORKER_RANDOM: i32 = 24 // 4 × i32: the stream of phases and templates
/** A stream of its own: what is drawn for shares must not change phases and templates. */
export const WORKER_LUCK: i32 = 40 // 4 × i32
/** Constant: how likely a step straggles, the scale of one that does not, and the factor on it of one that does. */
export const WORKER_STRAGGLE_PROBABILITY: i32 = 56
export const WORKER_HOST_SCALE: i32 = 64
export const WORKER_STRAGGLE_FACTOR: i32 = 72
/** A stream of its own, for the same reason. */
export const WORKER_STRAGGLE: i32 = 80 // 4 × i32
/** SIM_ROUND when its step began. */
export const WORKER_ROUND: i32 = 96
/** Gradients of its step that were taken. */
export const WORKER_TAKEN: i32 = 100
/** Time waited for others of which the record of this step tells, and since when it waits. */
export const WORKER_WAITED: i32 = 104
export const WORKER_WAITS_SINCE: i32 = 112
export const WORKER_TEMPLATE: i32 = 128
/** Operations of the step whose end is not known yet. */
export const WORKER_OPERATIONS_LEFT: i32 = 132
export const WORKER_PUSHES_LEFT: i32 = 136
/** SIM_PUSHED_STEPS at the step's first pull; −1 before it. */
export const WORKER_PUSHED_AT_PULL: i32 = 140
export const WORKER_LATENCY: i32 = 144
/** Of this step. */
export const WORKER_COMPUTE_SCALE: i32 = 152
/** The latest end known of an operation of this step, and of a push. */
export const WORKER_LAST_END: i32 = 160
export const WORKER_LAST_PUSH: i32 = 168
/** The latest end that its successors have been told of ahead of time. */
export const WORKER_TOLD_AHEAD: i32 = 176
/** From when the step's releases count: its start, or later when requests have to queue. */
export const WORKER_RELEASE_FROM: i32 = 184
export const WORKER_COMPUTE_BUSY: i32 = 192
export const WORKER_BYTES: i32 = 200

// Join: an operation that waits for several. Two arrays of a worker: the one that every end of a dependency touches is small.
/** u16: dependencies whose end is not known yet; starts again when it reaches 0. */
export const JOIN_LEFT_BYTES: i32 = 2
/** f64: the latest end of a dependency that was told ahead of time. Left from earlier steps it does no harm: what is to come is later. */
export const JOIN_READY_BYTES: i32 = 8

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
/** 1: at QUEUE_EXPECTED_AT, when all that becomes ready then has, a chunk to hand over is looked for. */
export const QUEUE_EXPECTED: i32 = 28
export const QUEUE_WAITING: i32 = 32
/** Of the stream that came last. */
export const QUEUE_SEQUENCE: i32 = 36
export const QUEUE_RING_FIRST: i32 = 40
export const QUEUE_RING_COUNT: i32 = 44
export const QUEUE_EXPECTED_AT: i32 = 48
export const QUEUE_BYTES: i32 = 56

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
/** Order (ORDER_…) of attached connections by tag. */
export const LINK_ORDER: i32 = 96
export const LINK_ORDER_COUNT: i32 = 100
export const LINK_ORDER_FIRST: i32 = 116
export const LINK_TIME_POSITION: i32 = 136
/** The same host's link in the other direction. */
export const LINK_REVERSE: i32 = 140
/** What data can use at most, acknowledgements or not. */
export const LINK_MOST: i32 = 144
/** Token bucket, bytes, as of the time when the link last turned busy, less what was sent at once since. */
export const LINK_TOKENS: i32 = 152
/** Of a worker's link: STANDING_IDLE and so on. Of a server's: 1 when its level must be found again. */
export const LINK_STATE: i32 = 160
export const LINK_BYTES: i32 = 168

// Sharing of a server's link, only with worker links (standing.ts). Sums are of twice the precision of a double: high part, low part.
/** Σ of the weights of the connections of roomy workers that the link limits. */
export const SHARING_WEIGHT: i32 = 0
/** Σ of the rates of the connections of roomy and full workers that something else limits. */
export const SHARING_TAKEN: i32 = 16
export const SHARING_WEIGHT_COUNT: i32 = 32
export const SHARING_TAKEN_COUNT: i32 = 36
/** Order (ORDER_…) of the former by the level above which something else might limit them. */
export const SHARING_RISING: i32 = 40
/** Order (ORDER_…) of the latter by minus the level below which this link would limit them. */
export const SHARING_FALLING: i32 = 80
/** Exclusive or of the numbers of all busy connections that cross the link: the number of one that is alone. */
export const SHARING_CROSSING: i32 = 120
export const SHARING_BYTES: i32 = 128

// Server.
export const SERVER_UPDATE_SCALE: i32 = 0
export const SERVER_UPDATE_BUSY: i32 = 8
/** 1: the job has pulls from it. */
export const SERVER_PULLED: i32 = 16
/** Updates that it runs at once: at most SIM_UPDATE_SLOTS. */
export const SERVER_UPDATE_SLOTS: i32 = 20
/** Summed cost of parsing pushes and preparing pulls. */
export const SERVER_MESSAGE_BUSY: i32 = 24
export const SERVER_BYTES: i32 = 32

// Event: time, then class and worker, then operation. Ordered by all three.
export const EVENT_TIME: i32 = 0
export const EVENT_CLASS_WORKER: i32 = 8
export const EVENT_OPERATION: i32 = 12
export const EVENT_BYTES: i32 = 16

// Order of connections (tagOrder.ts): the address of its entries, first, and how many connections stand in it.
export const ORDER_COUNT: i32 = 4
/** Connections in the heap; entries of the run, and how many of these are dead. */
export const ORDER_HEAP: i32 = 8
export const ORDER_RUN: i32 = 12
export const ORDER_DEAD: i32 = 16
/** Address of the entry that comes first; of no meaning when there is none. */
export const ORDER_FIRST: i32 = 20
/** The least tag that far ones may have; of no meaning when all are in the heap. */
export const ORDER_BOUND: i32 = 24
/** Position of the run's first entry, behind the room of the heap. */
export const ORDER_RUN_START: i32 = 32
/** While all are in a large heap: changes until a run is tried again. */
export const ORDER_PATIENCE: i32 = 36
export const ORDER_BYTES: i32 = 40
// Entry.
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
