/** Made by the build: build/page.mjs. */
declare module 'virtual:worker' {
  /** Address of the program of the web workers. */
  export function workerUrl(): string
}

/** Made by the build: build/example.mjs. */
declare module 'virtual:example' {
  export const name: string
  /** Saved profile, gzip, base64. */
  export const profile: string
  /** RunMetadata of another job, gzip, base64. */
  export const recordedSteps: readonly string[]
  /** Text of its case.json. */
  export const measured: string
}

/** Not in every browser. */
interface DataTransferItem {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>
}
