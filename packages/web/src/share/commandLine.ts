import { unprintable } from '@foretrain/predictor/text'
import { defaultSettings, type Settings } from '../settings.ts'

/** Stands for files whose names the page does not know, or that nobody should paste into a terminal. */
const someTraces = 'TRACE'

/** The flag of `foretrain predict` for each setting. */
const flags: ReadonlyArray<readonly [flag: string, name: keyof Settings]> = [
  ['--servers', 'servers'],
  ['--placement', 'placement'],
  ['--bandwidth', 'bandwidth'],
  ['--latency', 'latency'],
  ['--compute-speed', 'computeSpeed'],
  ['--batch', 'batch'],
  ['--policy', 'policy'],
  ['--partition', 'partition'],
  ['--credit', 'credit'],
  ['--mode', 'mode'],
  ['--seed', 'seed'],
  ['--precision', 'precision']
]
const ofPriority: ReadonlyArray<keyof Settings> = ['partition', 'credit']

/**
 * The command that predicts the same, for a POSIX shell. Defaults are left out: they are the command's as well.
 *
 * @param trace path of the file or folder; undefined: "TRACE" stands for it
 */
export function commandLineOf(settings: Settings, trace?: string): string {
  const given = flags.filter(
    ([, name]) => settings[name] !== defaultSettings[name] && (settings.policy === 'priority' || !ofPriority.includes(name))
  )
  const words = ['--workers', settings.workers, ...given.flatMap(([flag, name]) => [flag, String(settings[name])])]
  return ['foretrain', 'predict', pathWord(trace), ...words.map(shellQuoted)].join(' ')
}

function pathWord(path: string | undefined): string {
  if (path === undefined || path === '' || path.search(unprintable) >= 0) return someTraces
  return shellQuoted(path.startsWith('-') ? `./${path}` : path)
}

/** A word that a POSIX shell gives to the command as it is. */
function shellQuoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
