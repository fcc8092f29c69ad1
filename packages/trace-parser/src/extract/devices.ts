/** Names of devices and tasks, in the spellings of TensorFlow 1.4 to 2.21 (core/util/device_name_utils.cc). */

export type Lane = 'host' | 'kernels' | 'stream' | 'memcpy'

export interface Device {
  /** "/job:worker/replica:0/task:0/device:CPU:0"; lanes of a GPU keep their suffix ("…/device:GPU:0/stream:all"). */
  canonical: string
  /** "/job:worker/replica:0/task:0"; '' where the name has no job. */
  task: string
  /**
   * host: executed operations. kernels: the lane that holds each kernel of a GPU once ("stream:all"). stream: one of the lanes that together
   * hold the kernels and the memory copies. memcpy: the memory copies once more.
   */
  lane: Lane
}

const DEVICE =
  /^(?:\/job:([^/]+))?(?:\/replica:(\d+))?(?:\/task:(\d+))?\/(?:device:)?([A-Za-z_][A-Za-z0-9_]*):(\d+)(?:\/(stream:[^/]+|memcpy))?$/
const TASK = /^\/job:([^/]+)(?:\/replica:(\d+))?(?:\/task:(\d+))?(?:\/|$)/

/** Reads a device name; undefined when it is none. */
export function parseDevice(name: string): Device | undefined {
  const match = DEVICE.exec(name)
  if (match === null) return undefined
  const [, job, replica, task, type, index, suffix] = match
  const owner = job === undefined ? '' : taskName(job, replica, task)
  const lane: Lane = suffix === undefined ? 'host' : suffix === 'stream:all' ? 'kernels' : suffix === 'memcpy' ? 'memcpy' : 'stream'
  const canonical = `${owner}/device:${type.toUpperCase()}:${index}${suffix === undefined ? '' : `/${suffix}`}`
  return { canonical, task: owner, lane }
}

/** The task of a device or task name: "/job:ps/task:1/cpu:0" → "/job:ps/replica:0/task:1"; '' when it has none. */
export function taskOf(name: string): string {
  const match = TASK.exec(name)
  return match === null ? '' : taskName(match[1], match[2], match[3])
}

/** "ps" of "/job:ps/replica:0/task:1". */
export function jobOf(task: string): string {
  return TASK.exec(task)?.[1] ?? ''
}

/** Orders tasks by job, then by number (task 10 after task 9). */
export function compareTasks(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true })
}

function taskName(job: string, replica: string | undefined, task: string | undefined): string {
  return `/job:${job}/replica:${replica ?? '0'}/task:${task ?? '0'}`
}
