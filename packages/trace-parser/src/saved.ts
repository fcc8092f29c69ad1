import type { Profile } from './profile.ts'
import { TraceError } from './rawStep.ts'
import { plain } from './text.ts'
export function serializeProfile(profile: Profile): string {
  return JSON.stringify(profile, (_key, value) => (typeof value === 'number' ? Math.round(value * 1000) / 1000 : value))
}
export function parseProfile(text: string, name: string): Profile {
  try {
    return JSON.parse(text) as Profile
  } catch (error) {
    throw new TraceError(`${plain(name)}: not JSON (${plain(String((error as Error).message))})`)
  }
}
