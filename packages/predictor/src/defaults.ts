/** A constant of the model that no trace or flag gave. */
export interface Default {
  readonly value: number
  readonly unit: string
  /** Where the number comes from. */
  readonly source: string
}

/** Every number that the model assumes. All of them are reported with a prediction when they were used. */
export const defaults = {
  epsilonUs: {
    value: 20,
    unit: 'us',
    source: 'method 3.1.3: shorter operations run inline on an executor thread and occupy nothing'
  },
  contractionShare: { value: 5e-4, unit: 'share of the shortest step', source: 'half of the 0.1 % that method 3.1.10 allows' },
  stepOverheadUs: {
    value: 3000,
    unit: 'us',
    source: 'method 2.1.8: 2.5 to 3 ms of a step lie outside its records (TensorFlow 2.21)'
  },
  latencyUs: { value: 50, unit: 'us', source: 'round trip of about 0.1 ms inside one rack; the latency of the measured clusters' },
  parsePerByteUs: { value: 4e-5, unit: 'us/B', source: 'method 2.4 (b): one transfer alone, least squares from 64 KiB on' },
  parseFixedUs: { value: 100, unit: 'us', source: 'method 2.4 (b): 1 KiB takes 166 us, of which 50 us are latency' },
  parseSlots: { value: 10, unit: 'threads', source: 'method 2.2: grpc_wcache_callback pool of TensorFlow 1.15 and later' },
  serverCores: { value: 8, unit: 'cores', source: 'method 3.3: the inter-op threads of a server when they are not known' },
  ethernetPayload: {
    value: 1448 / 1538,
    unit: 'payload/wire',
    source: 'TCP with timestamps on Ethernet, 1500 B MTU: 1448 of 1538 bytes'
  },
  ackFraction: {
    value: 66 / (2 * 1514),
    unit: 'share',
    source: 'method 3.3: one acknowledgement of 66 bytes for two segments of 1514'
  },
  bufferUs: {
    value: 5000,
    unit: 'us',
    source: 'depth of the queue in front of a NIC (tbf of the measured clusters, shallow-buffered switches)'
  },
  longestRampUs: { value: 10e6, unit: 'us', source: 'method 3.3: cap on the ramp' },
  firstWindowBytes: {
    value: 4 * 1024 * 1024,
    unit: 'B',
    source: 'method 2.3: stream window of gRPC at low memory pressure, doubled as it grows'
  },
  windowShortfallBytes: { value: 256, unit: 'B', source: 'message and frame headers that count against the window' },
  laterTurnExtraBytes: { value: 1024 * 1024, unit: 'B', source: 'method 2.3: kMaxWindowDelta of gRPC since 2021-08' },
  oldWindowBytes: {
    value: 28e6,
    unit: 'B',
    source: 'method 2.3: 32 MiB less the dead band of 20 % in gRPC of TensorFlow 1.13 to 2.15'
  },
  precision: { value: 0.01, unit: 'relative half-width', source: 'method 3.7' },
  fewestReplications: { value: 4, unit: '1', source: 'method 3.7' },
  mostReplications: { value: 16, unit: '1', source: 'method 3.7' },
  warmUpSteps: { value: 6, unit: 'steps/worker', source: 'method 3.7' },
  fewestMeasuredSteps: { value: 64, unit: 'steps', source: 'method 3.7' },
  measuredStepsPerWorker: { value: 8, unit: 'steps/worker', source: 'method 3.7' },
  capacityRaise: { value: 0.1, unit: 'share', source: 'method 3.7: elasticity of each resource at +10 %' },
  idleUtilisation: {
    value: 0.03,
    unit: 'share of time',
    source: 'a resource less busy than this cannot change throughput by more than that share'
  },
  templateSpread: {
    value: 0.1,
    unit: 'relative standard deviation',
    source: 'how much compute differs from step to step in the measured clusters, where one step alone cannot tell'
  },
  runToRunShare: {
    value: 0.028,
    unit: 'relative standard deviation',
    source: 'two runs of one measured cluster differ by 4 %, so each scatters by 4 % / sqrt 2'
  },
  goodputShare: {
    value: 0.01,
    unit: 'relative standard deviation',
    source: 'method 2.4 (a): raw TCP of one path varied between 111 and 118 MB/s'
  }
} as const satisfies Record<string, Default>

/** How one connection fares beside others; see shares.ts. */
export interface ShareDefault {
  /** Share of a newcomer in its first moments, relative to those who are there. */
  startWeight: number
  startRateExponent: number
  /** Until it has its whole share. */
  rampUs: number
  rampRateExponent: number
  /** Half-width of the random factor's deviation. */
  spread: number
}

const source = 'bench/transport/measured-shares.json: raw TCP CUBIC flows in bursts, 2 to 8 at a time, queue of 5 ms'

/** Rows beside one, two, three or more others, at the reference rate. */
export const shareDefaults = {
  source,
  referenceBytesPerUs: 35.87,
  fewestBytesPerUs: 23.91,
  mostBytesPerUs: 119.55,
  pull: [
    { startWeight: 0.87, startRateExponent: -0.24, rampUs: 200_000, rampRateExponent: 2.25, spread: 0.1 },
    { startWeight: 0.75, startRateExponent: 0, rampUs: 500_000, rampRateExponent: 0, spread: 0.3 },
    { startWeight: 0.34, startRateExponent: 0, rampUs: 1_300_000, rampRateExponent: 0, spread: 0.4 }
  ],
  push: [
    { startWeight: 1, startRateExponent: 0, rampUs: 0, rampRateExponent: 0, spread: 0.2 },
    { startWeight: 0.7, startRateExponent: 0, rampUs: 500_000, rampRateExponent: 0, spread: 0.3 },
    { startWeight: 0.3, startRateExponent: 0, rampUs: 1_300_000, rampRateExponent: 0, spread: 0.35 }
  ]
} as const satisfies { source: string; pull: readonly ShareDefault[]; push: readonly ShareDefault[]; [field: string]: unknown }
