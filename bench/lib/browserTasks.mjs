/** Pieces of work of a browser's threads, from a trace of the browser. */

/**
 * @typedef {object} Task
 * @property {number} ms by the clock
 * @property {number} cpuMs processor's time: what other programs do does not count
 */

/** @typedef {{ name: string, pid: number, tid: number, dur?: number, tdur?: number, args: { name?: string } }} TraceEvent */

const categories = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline']

/**
 * What the main thread of a page did meanwhile, task by task.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {import('playwright-core').Page} page
 * @param {() => Promise<void>} work
 * @returns {Promise<Task[]>}
 */
export async function mainThreadTasks(browser, page, work) {
  await browser.startTracing(page, { categories })
  await work()
  const text = (await browser.stopTracing()).toString()
  /** @type {{ traceEvents: TraceEvent[] }} */
  const { traceEvents } = JSON.parse(text)
  const isMain = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`)
  )
  return traceEvents
    .filter(({ name, pid, tid }) => /RunTask$/.test(name) && isMain.has(`${pid} ${tid}`))
    .map(({ dur = 0, tdur = 0 }) => ({ ms: dur / 1000, cpuMs: tdur / 1000 }))
}
