/** A job or a cluster cannot be simulated as given; the message names the field. */
export class SimulationError extends Error {
  override name = 'SimulationError'
}

/** The simulation does not fit into memory: fewer workers, servers or templates would. */
export class TooLargeError extends SimulationError {
  override name = 'TooLargeError'
}

/** What memory that cannot grow throws, as TooLargeError. */
export function withinMemory<T>(use: () => T): T {
  try {
    return use()
  } catch (error) {
    throw error instanceof RangeError ? new TooLargeError(error.message, { cause: error }) : error
  }
}
