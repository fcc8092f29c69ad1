import { effect } from '@preact/signals'
import type { Settings } from '../settings.ts'
import { fragmentOf, settingsOfFragment } from '../share/link.ts'
import { settings } from '../state.ts'
import { clearProblem, fail } from './problems.ts'
import { change } from './simulate.ts'

/** Browsers refuse more than some hundred changes of the address in half a minute. */
const settleMs = 300

/** Address of this page with these settings. */
export function linkOf(of: Settings): string {
  return `${location.href.replace(/#.*$/s, '')}${fragmentOf(of)}`
}

/** Keeps settings and address together: a link sets the fields, and the fields change the address. */
export function followAddress(): void {
  take()
  addEventListener('hashchange', take)
  let later: ReturnType<typeof setTimeout> | undefined
  effect(() => {
    const link = linkOf(settings.value)
    clearTimeout(later)
    later = setTimeout(() => history.replaceState(null, '', link), settleMs)
  })
}

function take(): void {
  if (location.hash === '') return
  try {
    const taken = settingsOfFragment(location.hash)
    clearProblem()
    change(taken)
  } catch (error) {
    fail(error)
  }
}
