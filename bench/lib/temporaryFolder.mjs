import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * @template T
 * @param {(folder: string) => Promise<T>} use the folder is gone when it is done, whether it went well or not
 */
export async function withTemporaryFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), 'foretrain-bench-'))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
