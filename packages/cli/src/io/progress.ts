import type { Progress } from '@foretrain/predictor'
import { count } from '../render/numbers.ts'
import type { Io } from './io.ts'

const clearLine = '\r\u001b[2K'
const shortestPauseMs = 100
/** Of the work; what was needed for less is no measure of the rest. */
const leastTellingShare = 0.01

/** One line on standard error that is overwritten and at last wiped; silent unless standard error is a terminal. */
export class ProgressLine {
  private shown = false
  private lastMs = Number.NEGATIVE_INFINITY
  private readonly startedMs: number

  constructor(
    readonly errors: Io['errors'],
    private readonly now: () => number = () => performance.now()
  ) {
    this.startedMs = now()
  }

  /** Shows a text, unless another was shown a moment ago. */
  show(text: string): void {
    const nowMs = this.now()
    if (!this.errors.isTerminal || nowMs - this.lastMs < shortestPauseMs) return
    this.lastMs = nowMs
    this.shown = true
    const columns = this.errors.columns ?? 80
    void this.errors.write(clearLine + text.slice(0, Math.max(columns - 1, 0))).catch(() => {})
  }

  /** Shows how many points are done and about how long the rest will take. */
  showPoints({ done, total, workers, share = done / total }: Progress): void {
    const elapsedSeconds = (this.now() - this.startedMs) / 1000
    const canTell = share >= leastTellingShare && done < total
    const remaining = canTell ? `, about ${inWords((elapsedSeconds / share) * (1 - share))} left` : ''
    this.show(`${done}/${total} points, ${count(workers, 'worker')}${remaining}`)
  }

  /**
   * Shows how many points are done, how many a second, and about how long the rest will take.
   *
   * @param before of `done`, those that were there at the start
   */
  showRate(done: number, total: number, before: number): void {
    const rate = (done - before) / ((this.now() - this.startedMs) / 1000)
    if (!(rate > 0 && rate < Number.POSITIVE_INFINITY)) return
    const remaining = done < total ? `, about ${inWords((total - done) / rate)} left` : ''
    this.show(`${done}/${total} points, ${rate.toFixed(rate < 10 ? 1 : 0)} points/s${remaining}`)
  }

  /** Writes a line that stays, on whatever standard error is. */
  async note(text: string): Promise<void> {
    await this.clear()
    await this.errors.write(text)
  }

  /** Wipes the line, so that results and errors start on a clean one. */
  async clear(): Promise<void> {
    if (!this.shown) return
    this.shown = false
    await this.errors.write(clearLine).catch(() => {})
  }
}

/** "8 s", "3 min", "2 h". */
function inWords(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}
