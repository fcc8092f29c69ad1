import type { Demands } from '../demands.ts'

/** Times its fair share from which on the fullest server is called hot. */
const hot = 1.25

/** Bytes that a step moves from and to each server. */
export function serverBytesOf({ pullBytes, pushBytes }: Pick<Demands, 'pullBytes' | 'pushBytes'>): number[] {
  return Array.from(pullBytes, (bytes, server) => bytes + pushBytes[server])
}

/** The fullest server and its share of all bytes, when that is noticeably more than fair. */
export function hotServerOf(serverBytes: readonly number[]): { server: number; share: number } | undefined {
  const most = Math.max(...serverBytes)
  const share = most / serverBytes.reduce((sum, bytes) => sum + bytes, 0)
  return share * serverBytes.length >= hot ? { server: serverBytes.indexOf(most), share } : undefined
}
