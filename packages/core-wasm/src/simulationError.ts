/** A job or a cluster cannot be simulated as given; the message names the field. */
export class SimulationError extends Error {
  override name = 'SimulationError'
}
