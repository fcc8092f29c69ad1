import type { Profile } from '@foretrain/trace-parser'

/** The profile that the visitor looks at, as every worker has it: the worker that has read it gives it to the others. */
export class ProfileStore {
  readonly #siblings: MessagePort[] = []
  #number = 0
  #profile: Profile | undefined
  #waiting: Array<() => void> = []

  /** @param port leads to another worker's store */
  connect(port: MessagePort): void {
    this.#siblings.push(port)
    port.onmessage = ({ data }: MessageEvent<{ number: number; profile: Profile }>) => this.#keep(data.number, data.profile)
  }

  publish(number: number, profile: Profile): void {
    for (const port of this.#siblings) port.postMessage({ number, profile })
    this.#keep(number, profile)
  }

  /** The profile of this number, once it is there. One that was replaced meanwhile never comes: its tasks have been aborted. */
  async get(number: number): Promise<Profile> {
    while (this.#number !== number || this.#profile === undefined) await new Promise<void>(resolve => this.#waiting.push(resolve))
    return this.#profile
  }

  #keep(number: number, profile: Profile): void {
    if (number < this.#number) return
    this.#number = number
    this.#profile = profile
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}
