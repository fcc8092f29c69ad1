import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { QuestionError } from '../../src/question.ts'
import { bandwidth, delay, duration, parseCost, parseQuantity, precision, type Quantity, windowSize } from '../../src/text/units.ts'

describe('quantities', () => {
  test.each<[string, Quantity, number]>([
    ['1Gbps', bandwidth, 1e9],
    ['1000Mbps', bandwidth, 1e9],
    ['2.5 Gbps', bandwidth, 2.5e9],
    ['64kbps', bandwidth, 64_000],
    ['9600bps', bandwidth, 9600],
    ['1e1Gbps', bandwidth, 1e10],
    ['8MiB', windowSize, 8_388_608],
    ['8MB', windowSize, 8_000_000],
    ['64KiB', windowSize, 65_536],
    ['64kB', windowSize, 64_000],
    ['1GiB', windowSize, 1_073_741_824],
    ['1GB', windowSize, 1e9],
    ['4000B', windowSize, 4000],
    ['0.1ms', delay, 100],
    ['50us', delay, 50],
    ['50µs', delay, 50],
    ['50\u03bcs', delay, 50],
    ['2s', delay, 2e6],
    ['0s', delay, 0],
    ['.5ms', delay, 500],
    [' 412ms ', duration, 412_000],
    ['0.04us/kB', parseCost, 0.00004],
    ['1ms/MB', parseCost, 0.001],
    ['1024us/KiB', parseCost, 1],
    ['1%', precision, 0.01],
    ['0.5 %', precision, 0.005]
  ])('%s', (text, quantity, value) => {
    expect(parseQuantity('--flag', text, quantity)).toBe(value)
  })

  test.each<[string, Quantity, string]>([
    ['10', bandwidth, '--flag "10": a unit is needed (bps, kbps, Mbps or Gbps), such as 1Gbps'],
    ['0', delay, '--flag "0": a unit is needed (us, ms or s), such as 0.1ms'],
    ['1', precision, '--flag "1": a unit is needed (%), such as 1%'],
    ['8M', windowSize, '--flag "8M": unknown unit; accepted: B, kB, MB, GB, KiB, MiB or GiB, such as 8MiB'],
    ['1MBps', bandwidth, '--flag "1MBps": unknown unit; accepted: bps, kbps, Mbps or Gbps, such as 1Gbps'],
    ['1gbps', bandwidth, '--flag "1gbps": unknown unit; accepted: bps, kbps, Mbps or Gbps, such as 1Gbps'],
    [
      '0.04us',
      parseCost,
      '--flag "0.04us": unknown unit; accepted: us, ms or s per B, kB, MB, GB, KiB, MiB or GiB, such as 0.04us/kB'
    ],
    ['1constructor', bandwidth, '--flag "1constructor": unknown unit; accepted: bps, kbps, Mbps or Gbps, such as 1Gbps'],
    ['fast', bandwidth, '--flag "fast": write a number and a unit (bps, kbps, Mbps or Gbps), such as 1Gbps'],
    ['', bandwidth, '--flag "": write a number and a unit (bps, kbps, Mbps or Gbps), such as 1Gbps'],
    ['NaN', bandwidth, '--flag "NaN": write a number and a unit (bps, kbps, Mbps or Gbps), such as 1Gbps'],
    ['Infinity', bandwidth, '--flag "Infinity": write a number and a unit (bps, kbps, Mbps or Gbps), such as 1Gbps'],
    ['InfinityGbps', bandwidth, '--flag "InfinityGbps": write a number and a unit (bps, kbps, Mbps or Gbps), such as 1Gbps'],
    ['1,5Gbps', bandwidth, '--flag "1,5Gbps": unknown unit; accepted: bps, kbps, Mbps or Gbps, such as 1Gbps'],
    ['0Gbps', bandwidth, '--flag "0Gbps": must be between 1kbps and 1000000Gbps'],
    ['-1Gbps', bandwidth, '--flag "-1Gbps": must be between 1kbps and 1000000Gbps'],
    ['1e999Gbps', bandwidth, '--flag "1e999Gbps": must be between 1kbps and 1000000Gbps'],
    ['-1ms', delay, '--flag "-1ms": must be between 0s and 3600s'],
    ['0ms', duration, '--flag "0ms": must be between 1us and 1000000s'],
    ['0%', precision, '--flag "0%": must be between 0.01% and 50%'],
    ['100%', precision, '--flag "100%": must be between 0.01% and 50%'],
    ['1\n2Gbps', bandwidth, '--flag "1\\n2Gbps": unknown unit; accepted: bps, kbps, Mbps or Gbps, such as 1Gbps']
  ])('refuses %j', (text, quantity, message) => {
    expect(() => parseQuantity('--flag', text, quantity)).toThrow(new QuestionError(message))
  })

  test('any text is read or refused in one line', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom(bandwidth, windowSize, delay, parseCost, precision),
        (text, quantity) => {
          try {
            return Number.isFinite(parseQuantity('--flag', text, quantity))
          } catch (error) {
            return error instanceof QuestionError && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(error.message)
          }
        }
      )
    )
  })
})
