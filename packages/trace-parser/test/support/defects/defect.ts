/** A small file with one defect that somebody met. */
export interface Defect {
  /** Issues are `owner/repo#n`; reporters' numbers are kept where they matter. */
  source: string
  about: string
  make(): Uint8Array
}

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
