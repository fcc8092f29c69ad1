/** A coordinate, in tenths of a pixel. */
export function at(value: number): string {
  return String(Number(value.toFixed(1)))
}

/** Text for XML. What XML cannot hold is left out. */
export function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** A scale with its ticks, each with a label. */
export interface Axis {
  /** 0 at the first tick or end, 1 at the last. */
  position: (value: number) => number
  ticks: Array<{ value: number; label: string }>
  logarithmic: boolean
}

/** Four to eight round steps from 0 to at least `highest`, which is above 0. */
export function linearAxis(highest: number): Axis {
  const rough = highest / 5
  const magnitude = 10 ** Math.floor(Math.log10(rough))
  const step = magnitude * ([1, 2, 5, 10].find(factor => factor * magnitude >= rough * (1 - 1e-9)) ?? 10)
  const steps = Math.ceil(highest / step - 1e-9)
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9))
  const ticks = Array.from({ length: steps + 1 }, (_, index) => ({ value: index * step, label: (index * step).toFixed(decimals) }))
  return { position: value => value / (steps * step), ticks, logarithmic: false }
}

/** From a tenth below `lowest` to a tenth above `highest`, both above 0, with ticks at 1, 2 and 5 times powers of ten within. */
export function logarithmicAxis(lowest: number, highest: number): Axis {
  const [from, to] = [Math.log10(lowest / 1.1), Math.log10(highest * 1.1)]
  const ticks: Axis['ticks'] = []
  for (let power = Math.floor(from); power <= Math.ceil(to); power++) {
    for (const factor of [1, 2, 5]) {
      const value = factor * 10 ** power
      const isWithin = Math.log10(value) >= from && Math.log10(value) <= to
      if (isWithin) ticks.push({ value, label: value.toFixed(Math.max(0, -power)) })
    }
  }
  return { position: value => (Math.log10(value) - from) / (to - from), ticks, logarithmic: true }
}
