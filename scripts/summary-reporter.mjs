/** A vitest reporter whose only output is the plain closing line "N passed, N failed[, N skipped]". */
export default class SummaryReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: 0, skipped: 0 }
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const state = test.result().state
        if (state in counts) counts[state] += 1
      }
      if (module.errors().length > 0) counts.failed += 1
    }
    counts.failed += unhandledErrors.length
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
    // Printed when the process ends, so that it stays the last line whatever other reporters say.
    process.on('exit', () => console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`))
  }
}
