import { clearHeap, popDown, pushUp } from './aryHeap'

export function clear(from: i32, capacity: i32): void {
  clearHeap(from, capacity)
}

export function push(time: f64, classWorker: i32, operation: i32): void {
  pushUp(2, time, classWorker, operation)
}

export function pop(into: i32): void {
  popDown(2, into)
}
