import { expect } from 'vitest'
import { everySimulator } from '../support/everySimulator.ts'
import { BURST_BYTES, GOODPUT_BYTES_PER_US, pullEndsUs } from './measured.ts'

/** docs/method.md §10 (c): six variables in the order in which their transfers started. */
const tensors = [
  { name: 'v4', bytes: 1_048_576, predictedUs: 10_790, recordedUs: 11_493 },
  { name: 'v0', bytes: 262_144, predictedUs: 12_982, recordedUs: 13_366 },
  { name: 'v1', bytes: 4_194_304, predictedUs: 48_067, recordedUs: 49_032 },
  { name: 'v2', bytes: 16_777_216, predictedUs: 188_404, recordedUs: 189_888 },
  { name: 'v5', bytes: 36_000_000, predictedUs: 489_530, recordedUs: 492_380 },
  { name: 'v3', bytes: 67_108_864, predictedUs: 1_050_880, recordedUs: 1_055_768 }
]
const sizes = tensors.map(tensor => tensor.bytes)
const START_US = 4210

// On the wire by hand: 4210 + (bytes so far - 262,144)/119.55; parsing adds 350 µs + 4·10⁻⁵ µs a byte.
everySimulator('transfers within the window are sent one after the other', simulate => {
  const ends = pullEndsUs(simulate, sizes, START_US, 2 ** 27)
  let sent = -BURST_BYTES
  tensors.forEach(({ bytes, predictedUs }, i) => {
    sent += bytes
    expect(ends[i]).toBeCloseTo(START_US + sent / GOODPUT_BYTES_PER_US + 350 + 4e-5 * bytes, 6)
    // The table's prediction is the wire alone; 119.55 has five digits.
    expect(Math.abs(ends[i] - 350 - 4e-5 * bytes - predictedUs)).toBeLessThan(1 + 1e-4 * predictedUs)
  })
})

// Starts were spread over 1.1 ms (4210 to 5340 µs) and are taken as one; after a pause TCP's slow start costs a few round trips at the
// beginning: 1 ms. Over a second the goodput of a busy machine is good to 0.25 %.
everySimulator('transfers end when they were recorded to end', simulate => {
  const ends = pullEndsUs(simulate, sizes, START_US, 2 ** 27)
  tensors.forEach(({ name, recordedUs }, i) => {
    expect(Math.abs(ends[i] - recordedUs), `${name}: ${ends[i]} µs`).toBeLessThan(1000 + 0.0025 * recordedUs)
  })
})
