import { time } from '@foretrain/predictor/text'

/** A time in µs in a unit that suits: "474.0 µs". The command writes "us", which every terminal has. */
export function duration(us: number): string {
  return time(us).replace(/ us$/, ' µs')
}

/** A share in percent, with its sign: "+3.1", "−0.4". */
export function signed(share: number): string {
  return `${share < 0 ? '−' : '+'}${Math.abs(share * 100).toFixed(1)}`
}

/** "+3.1 %". */
export function signedPercent(share: number): string {
  return `${signed(share)} %`
}
