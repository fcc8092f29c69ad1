import { QuestionError } from '@foretrain/predictor'
import { quoted } from '@foretrain/predictor/text'
import { questionOf } from '../question.ts'
import { defaultSettings, type Settings } from '../settings.ts'

/** Settings are short; what is longer was not written by this page. */
const longestFragment = 2_000
const names = Object.keys(defaultSettings) as Array<keyof Settings>

/**
 * Settings as the fragment of a link, "#workers=1-64&bandwidth=1Gbps", which a browser sends to nobody; '' for those of a page just opened.
 */
export function fragmentOf(settings: Settings): string {
  const changed = names.filter(name => settings[name] !== defaultSettings[name])
  const pairs = new URLSearchParams(changed.map(name => [name, String(settings[name])]))
  return changed.length === 0 ? '' : `#${pairs}`
}

/**
 * The settings that a link carries. Anybody may have written it: what it does not say is as on a page just opened, and it says nothing that
 * the fields would not take.
 *
 * @throws QuestionError with what is wrong with the link
 */
export function settingsOfFragment(fragment: string): Settings {
  if (fragment.length > longestFragment) throw wrong(`${fragment.length} characters of settings; ${longestFragment} are the most`)
  const settings: Settings = { ...defaultSettings }
  const seen = new Set<string>()
  for (const [name, text] of new URLSearchParams(fragment.replace(/^#/, ''))) {
    if (!isName(name)) throw wrong(`unknown setting ${quoted(name)}; known: ${names.join(', ')}`)
    if (seen.has(name)) throw wrong(`${name} stands there twice`)
    seen.add(name)
    Object.assign(settings, { [name]: typeof defaultSettings[name] === 'number' ? numberOf(name, text) : text })
  }
  try {
    questionOf(settings)
  } catch (error) {
    throw error instanceof QuestionError ? wrong(error.message) : error
  }
  return settings
}

function isName(text: string): text is keyof Settings {
  return names.some(name => name === text)
}

function numberOf(name: keyof Settings, text: string): number {
  if (!/^[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?$/.test(text)) throw wrong(`${name} ${quoted(text)}: write a number`)
  return Number(text)
}

function wrong(what: string): QuestionError {
  return new QuestionError(`the link: ${what}`)
}
