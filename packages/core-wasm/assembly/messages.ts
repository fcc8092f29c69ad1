import { JOB_MESSAGES, SIM_JOB } from './layout'

/** How many messages a transfer stands for. */
export function messagesOf(sim: i32, operation: i32): i32 {
  const table = i32.load(i32.load(sim, SIM_JOB), JOB_MESSAGES)
  return table === 0 ? 1 : i32.load(table + 4 * operation)
}
