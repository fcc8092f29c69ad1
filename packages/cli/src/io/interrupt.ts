/** A signal ended the command after it had put its files in order; `message` says how to go on. */
export class InterruptedError extends Error {
  override name = 'InterruptedError'
  readonly exitCode: number

  constructor(message: string, exitCode: number) {
    super(message)
    this.exitCode = exitCode
  }
}

let listening: AbortController | undefined

/**
 * For a command that must not end in the middle: the first signal then aborts in place of ending the process, and the command ends soon
 * with an InterruptedError. The reason is the exit code.
 */
export function listenForSignals(): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController()
  listening = controller
  return {
    signal: controller.signal,
    release: () => {
      if (listening === controller) listening = undefined
    }
  }
}

/** @returns whether a command has taken it upon itself to end */
export function passSignalOn(exitCode: number): boolean {
  const controller = listening
  // Who sends a second one cannot wait.
  listening = undefined
  controller?.abort(exitCode)
  return controller !== undefined
}
