/** What a synchronous round collects of its gradients (docs/semantics.md, "Modes"). */
import {
  GRADIENT_ADDED,
  GRADIENT_BYTES,
  GRADIENT_TAKEN,
  SIM_GRADIENT,
  SIM_GRADIENT_INDEX,
  SIM_GRADIENTS,
  SIM_GRADIENTS_LEFT,
  SIM_NEEDED,
  SIM_NOW,
  SIM_ROUND,
  SIM_ROUND_END,
  WORKER_ROUND,
  WORKER_TAKEN
} from './layout'

/** Gradients of a round: a step without any is one itself. */
export function gradientCount(sim: i32): i32 {
  const gradients = i32.load(sim, SIM_GRADIENTS)
  return gradients > 0 ? gradients : 1
}

/** Whether the operation of a synchronous job, an update or a push, is a gradient. */
export function isGradient(sim: i32, operation: i32): bool {
  return i32.load(i32.load(sim, SIM_GRADIENT_INDEX) + 4 * operation) >= 0
}

function gradientAddress(sim: i32, operation: i32): i32 {
  const ordinal = i32.load(sim, SIM_GRADIENTS) > 0 ? i32.load(i32.load(sim, SIM_GRADIENT_INDEX) + 4 * operation) : 0
  return i32.load(sim, SIM_GRADIENT) + ordinal * GRADIENT_BYTES
}

/** A gradient of the worker's step has come: whether this round takes it. A round that is over does not, nor one that has enough. */
export function takeGradient(sim: i32, worker: i32, operation: i32): bool {
  if (i32.load(worker, WORKER_ROUND) !== i32.load(sim, SIM_ROUND)) return false
  const gradient = gradientAddress(sim, operation)
  const taken = i32.load(gradient, GRADIENT_TAKEN)
  if (taken >= i32.load(sim, SIM_NEEDED)) return false
  i32.store(gradient, taken + 1, GRADIENT_TAKEN)
  i32.store(worker, i32.load(worker, WORKER_TAKEN) + 1, WORKER_TAKEN)
  return true
}

/** A gradient that was taken has been added up: whether it was the last that its variable waits for. */
export function addGradient(sim: i32, operation: i32): bool {
  const gradient = gradientAddress(sim, operation)
  const added = i32.load(gradient, GRADIENT_ADDED) + 1
  i32.store(gradient, added, GRADIENT_ADDED)
  return added === i32.load(sim, SIM_NEEDED)
}

/** A variable of the round is complete: whether it was the last one. Then the next round begins to collect. */
export function completeGradient(sim: i32): bool {
  const left = i32.load(sim, SIM_GRADIENTS_LEFT) - 1
  i32.store(sim, left, SIM_GRADIENTS_LEFT)
  if (left > 0) return false
  i32.store(sim, i32.load(sim, SIM_ROUND) + 1, SIM_ROUND)
  f64.store(sim, f64.load(sim, SIM_NOW), SIM_ROUND_END)
  collect(sim)
  return true
}

/** An empty round. */
export function collect(sim: i32): void {
  const gradients = gradientCount(sim)
  i32.store(sim, gradients, SIM_GRADIENTS_LEFT)
  let gradient = i32.load(sim, SIM_GRADIENT)
  for (let i = 0; i < gradients; i++) {
    i32.store(gradient, 0, GRADIENT_TAKEN)
    i32.store(gradient, 0, GRADIENT_ADDED)
    gradient += GRADIENT_BYTES
  }
}
