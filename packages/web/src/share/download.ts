/** The browser has begun to save by then. */
const KEEP_MS = 10_000

/** Saves something as a file of the visitor. */
export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), KEEP_MS)
}

/** @param type "text/csv" */
export function downloadText(name: string, type: string, text: string): void {
  download(name, new Blob([text], { type: `${type};charset=utf-8` }))
}

/**
 * A name for a file, from parts such as the trace and the kind of a chart: letters, digits, points, hyphens.
 *
 * fileName(['resnet50/trace', '16 workers'], 'csv') = "resnet50-trace-16-workers.csv"
 */
export function fileName(parts: readonly string[], extension: string): string {
  const words = parts.map(part => part.replace(/[^\p{L}\p{N}.]+/gu, '-').replace(/^[-.]+|[-.]+$/g, '')).filter(word => word !== '')
  return `${words.join('-').slice(0, 100) || 'foretrain'}.${extension}`
}
