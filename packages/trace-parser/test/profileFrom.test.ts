import { expect, test } from 'vitest'
import { checkProfile, type Operation, type ProfiledStep, parseProfile, profileFrom, serializeProfile } from '../src/index.ts'

const operations: Operation[] = [
  { name: 'w', kind: 'pull', type: '', server: 0, bytes: 1000, dependencies: [] },
  { name: 'gradient', kind: 'compute', type: '', server: 0, bytes: 0, dependencies: [0] }
]
const step: ProfiledStep = {
  trace: 'planned',
  spanUs: 300,
  durationUs: [0, 200],
  gapUs: [0, 0],
  startUs: [0, 100],
  endUs: [100, 300],
  imputed: []
}

test('what is given is a profile, as if it had been saved', () => {
  const profile = profileFrom(operations, [step, step])
  expect(profile.counts).toMatchObject({ records: 4, used: 4 })
  // What a self-check finds is about what was given: two steps are few, and nothing is pushed.
  const warnings = checkProfile(profile)
  expect(parseProfile(serializeProfile(profile), 'profile.json')).toEqual({ ...profile, warnings })
})

test('with several servers each has a clock', () => {
  const profile = profileFrom(operations, [step], { servers: ['ps0', 'ps1'] })
  expect(profile.clockOffsetUs).toEqual([0, 0])
  expect(parseProfile(serializeProfile(profile), 'profile.json').servers).toEqual(['ps0', 'ps1'])
})
