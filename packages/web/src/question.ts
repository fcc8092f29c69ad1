import type { Question } from '@foretrain/predictor'
import {
  bandwidth,
  delay,
  parseChoice,
  parseFactor,
  parseMode,
  parsePriority,
  parseQuantity,
  parseWhole,
  parseWorkers,
  policyNames,
  precision
} from '@foretrain/predictor/text'
import { defaultSettings, type Settings } from './settings.ts'
import type { Asked } from './worker/protocol.ts'

export const placements = ['profile', 'round-robin', 'greedy'] as const

/**
 * What the settings ask, as `foretrain predict` asks it with the same words: a field left as it was stays out of the question.
 *
 * @throws QuestionError with the command's own line for what cannot be used
 */
export function questionOf(settings: Settings): Asked {
  const workers = parseWorkers('--workers', settings.workers)
  const policy = parseChoice('--policy', settings.policy, policyNames)
  const chunks = { partition: settings.partition || undefined, credit: settings.credit || undefined }
  const asked: Partial<Question> = {
    ...(settings.servers !== 0 && { servers: [parseWhole('--servers', String(settings.servers), 1, 1024)] }),
    ...(settings.placement !== '' && { placement: parseChoice('--placement', settings.placement, placements) }),
    ...(settings.bandwidth !== '' && { bandwidthBitsPerSecond: parseQuantity('--bandwidth', settings.bandwidth, bandwidth) }),
    ...(settings.latency !== '' && { latencyUs: parseQuantity('--latency', settings.latency, delay) }),
    ...(settings.computeSpeed !== 1 && { computeSpeed: parseFactor('--compute-speed', String(settings.computeSpeed), 1e-6, 1e6) }),
    ...(settings.policy !== defaultSettings.policy && { policy }),
    ...(policy === 'priority' && { priority: parsePriority(chunks, [policy]) }),
    ...(settings.mode !== defaultSettings.mode && { mode: parseMode(settings.mode, workers) })
  }
  return {
    ...asked,
    workers,
    batchSize: parseWhole('--batch', String(settings.batch), 1, 1_000_000_000),
    seed: parseWhole('--seed', String(settings.seed), 0, 0xffff_ffff),
    precision: parseQuantity('--precision', settings.precision, precision)
  }
}
