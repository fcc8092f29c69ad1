/** What a command sees of the process around it. Tests pass their own. */

export interface TextOutput {
  /** Resolves when the text (UTF-8 where it comes as bytes) is handed over; rejects with ClosedPipeError or InputError. */
  write(text: string | Uint8Array): Promise<void>
  isTerminal: boolean
  /** Of a terminal. */
  columns: number | undefined
}

export interface Io {
  standardInput: { bytes: AsyncIterable<Uint8Array>; isTerminal: boolean }
  output: TextOutput
  errors: TextOutput
  environment: Record<string, string | undefined>
}
