/** A file in an archive. Its name is for messages only. */
export interface ArchiveEntry {
  name: string
  bytes: AsyncIterable<Uint8Array>
}
