import { QuestionError } from '@foretrain/predictor'
import { describe, expect, test } from 'vitest'
import { defaultSettings, type Settings } from '../../src/settings.ts'
import { fragmentOf, settingsOfFragment } from '../../src/share/link.ts'

/** No field as on a page just opened. */
const changed: Settings = {
  workers: '1,2,4-8',
  servers: 2,
  bandwidth: '1.5 Gbps',
  latency: '0.1ms',
  computeSpeed: 1.25,
  batch: 64,
  policy: 'priority',
  partition: '4MB',
  credit: '16MiB',
  mode: 'sync:backup=0',
  placement: 'greedy',
  seed: 4_294_967_295,
  precision: '0.5%'
}

describe('a link', () => {
  test('brings every setting back', () => {
    for (const name of Object.keys(defaultSettings) as Array<keyof Settings>) expect(changed[name]).not.toBe(defaultSettings[name])
    expect(settingsOfFragment(fragmentOf(changed))).toEqual(changed)
  })

  test('says nothing of what is as on a page just opened', () => {
    expect(fragmentOf(defaultSettings)).toBe('')
    expect(settingsOfFragment('')).toEqual(defaultSettings)
    expect(settingsOfFragment('#')).toEqual(defaultSettings)
    expect(fragmentOf({ ...defaultSettings, mode: 'ssp:3' })).toBe('#mode=ssp%3A3')
  })
})

describe('a link that this page did not write', () => {
  test.each([
    ['#__proto__=1', 'the link: unknown setting "__proto__"; known: workers, servers, bandwidth'],
    ['#constructor=1&toString=2', 'the link: unknown setting "constructor"'],
    ['#workers', 'the link: --workers "": write cluster sizes such as 8, 1-16 or 1,2,4,8'],
    ['#workers=8&workers=9', 'the link: workers stands there twice'],
    ['#workers=1-99999999999', 'the link: --workers "1-99999999999": at most'],
    ['#seed=Infinity', 'the link: seed "Infinity": write a number'],
    ['#seed=-1', 'the link: seed "-1": write a number'],
    ['#servers=1e999', 'the link: --servers "Infinity": must be a whole number'],
    ['#computeSpeed=0', 'the link: --compute-speed "0": must be a number between'],
    ['#batch=%FF%FE', 'the link: batch "��": write a number'],
    ['#bandwidth=%1b[31m1Gbps', String.raw`the link: --bandwidth "\x1b[31m1Gbps": write a number and a unit`],
    ['#mode=<img src=x onerror=alert(1)>', 'the link: --mode "<img src=x onerror=alert(1)>": accepted: async'],
    ['#policy=order:/etc/passwd', 'the link: --policy "order:/etc/passwd": accepted: recorded'],
    [`#workers=${'1,'.repeat(2000)}1`, 'the link: 4010 characters of settings; 2000 are the most']
  ])('is refused: %#', (fragment, message) => {
    let thrown: unknown
    try {
      settingsOfFragment(fragment)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(QuestionError)
    const said = (thrown as Error).message
    expect(said).toContain(message)
    expect(said).not.toContain('\n')
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})
