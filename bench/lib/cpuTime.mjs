/**
 * The processor's time of what this process does meanwhile: other work on the machine changes it less than the clock's.
 *
 * @template T
 * @param {() => T | Promise<T>} work
 * @returns {Promise<{ seconds: number, result: T }>}
 */
export async function cpuTimeOf(work) {
  const before = process.cpuUsage()
  const result = await work()
  const { user, system } = process.cpuUsage(before)
  return { seconds: (user + system) / 1e6, result }
}
