import type {
  Case,
  CaseToValidate,
  CompareHooks,
  CompareQuestion,
  Comparison,
  Inspection,
  Plan,
  PlanHooks,
  PlanQuestion,
  PredictHooks,
  Prediction,
  Question,
  TimelineOptions,
  ValidateHooks,
  ValidateOptions,
  Validation
} from '@foretrain/predictor'
import type { Profile, ReadOptions, TraceFile } from '@foretrain/trace-parser'
import type { InspectOptions } from '../flags/question.ts'
import type { ThreadTimeline } from './timelineThread.ts'

/** A profile and the files it came from. */
export interface ReadResult {
  profile: Profile
  files: Array<{ name: string; format: string; bytes: number; steps: number }>
  /** Files in folders and archives that are no traces. */
  passedOver: Array<{ name: string; what: string }>
}

/** What the commands use of the other packages. Tests pass their own. */
export interface Libraries {
  readProfile(files: Iterable<TraceFile>, options?: Pick<ReadOptions, 'sizes'>): Promise<ReadResult>
  serializeProfile(profile: Profile): Promise<string>
  /** Without names that people gave. */
  redactProfile(profile: Profile): Promise<Profile>
  /** @param jobs most threads to use */
  predict(question: Question, hooks?: Pick<PredictHooks, 'onProgress'>, jobs?: number): Promise<Prediction>
  timeline(question: Question, options: TimelineOptions): Promise<ThreadTimeline>
  /** @param jobs most threads to use */
  compare(question: CompareQuestion, hooks?: Pick<CompareHooks, 'onProgress'>, jobs?: number): Promise<Comparison>
  /** @param jobs most threads to use */
  plan(asked: PlanQuestion, hooks?: Pick<PlanHooks, 'onProgress'>, jobs?: number): Promise<Plan>
  inspectProfile(read: ReadResult, options: InspectOptions): Promise<Inspection>
  readCase(text: string, file: string): Promise<Case>
  validate(
    cases: CaseToValidate[],
    options: ValidateOptions,
    hooks?: Pick<ValidateHooks, 'onProgress' | 'onSkipped'>
  ): Promise<Validation>
}

/** The real ones, loaded when first used: `--help` needs none of them. Simulation runs in a thread, so that Ctrl-C is heard meanwhile. */
export const libraries: Libraries = {
  readProfile: async (files, options) => (await import('@foretrain/trace-parser')).readProfile(files, options),
  serializeProfile: async profile => (await import('@foretrain/trace-parser')).serializeProfile(profile),
  redactProfile: async profile => (await import('@foretrain/predictor')).redactProfile(profile),
  predict: async (question, hooks, jobs) => {
    const { predictInThreads } = await import('./predictInThreads.ts')
    return predictInThreads(question, jobs, hooks?.onProgress)
  },
  timeline: async (question, options) => {
    const { timelineInThread } = await import('./timelineThread.ts')
    return timelineInThread(question, options)
  },
  compare: async (question, hooks, jobs) => {
    const { compareInThreads } = await import('./compareInThreads.ts')
    return compareInThreads(question, jobs, hooks?.onProgress)
  },
  plan: async (asked, hooks, jobs) => {
    const { plan } = await import('@foretrain/predictor')
    const { predictInThreads } = await import('./predictInThreads.ts')
    return plan(asked, { ...hooks, predict: (question, { onProgress }) => predictInThreads(question, jobs, onProgress) })
  },
  inspectProfile: async (read, options) => {
    const { runInThread } = await import('./simulationThread.ts')
    return (await runInThread({ kind: 'inspect', read, options })) as Inspection
  },
  readCase: async (text, file) => (await import('@foretrain/predictor')).readCase(text, file),
  validate: async (cases, options, hooks) => {
    const { validate } = await import('@foretrain/predictor')
    const { predictInThreads } = await import('./predictInThreads.ts')
    const predict: ValidateHooks['predict'] = (question, { onProgress }) => predictInThreads(question, undefined, onProgress)
    return validate(cases, options, { ...hooks, predict })
  }
}
