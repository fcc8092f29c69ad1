/** Where the state of a worker lies: one after the other, all that belongs to one together, since an event is about one worker. */
import { SIM_WORKER, SIM_WORKER_STRIDE } from './layout'

export function workerAddress(sim: i32, worker: i32): i32 {
  return i32.load(sim, SIM_WORKER) + worker * i32.load(sim, SIM_WORKER_STRIDE)
}
