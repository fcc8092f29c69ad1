/** Numbers that stand for something: kinds of operations, standings, modes, what a run ended with. */

// 1 is an update: what is none of these.
export const KIND_COMPUTE: i32 = 0
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
