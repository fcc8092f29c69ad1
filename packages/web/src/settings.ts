/** What a visitor sets, as it stands in the fields. A link carries it; the command line says the same. */
export interface Settings {
  /** Cluster sizes: "8", "1-16", "1,2,4,8". */
  workers: string
  /** 0: as many as the traces show. */
  servers: number
  /** Nominal rate of every host: "1Gbps". "": as calibrated from the trace. */
  bandwidth: string
  /** One way: "0.1ms". "": as calibrated. */
  latency: string
  /** Factor by which every worker computes faster than the traced one. */
  computeSpeed: number
  /** Examples in a worker's step. */
  batch: number
  policy: string
  /** Chunk size and bytes under way with policy "priority": "4MB", "16MB". "": the defaults. */
  partition: string
  credit: string
  mode: string
  /** "profile", "round-robin", "greedy". "": as traced for as many servers, else round-robin. */
  placement: string
  seed: number
  /** Half-width of the 95 % interval: "1%". */
  precision: string
}

export const defaultSettings: Readonly<Settings> = {
  workers: '1-16',
  servers: 0,
  bandwidth: '',
  latency: '',
  computeSpeed: 1,
  batch: 1,
  policy: 'recorded',
  partition: '',
  credit: '',
  mode: 'async',
  placement: '',
  seed: 1,
  precision: '1%'
}
