/** Mutations of texts by their structure: values of JSON, lines of text protobufs. */

/** Names and labels that trip those who trust them. */
export const hostileTexts = [
  '',
  ' ',
  '__proto__',
  'constructor',
  'RecvTensor',
  '_SOURCE',
  '^a:0:1:2',
  'a = B(c, d_S1, e_G2, f/_3)',
  '[8B] [1.0Mb/s] edge_7_a/read from /job:ps/replica:0/task:0/cpu:0 to /job:worker/replica:0/task:0/cpu:0',
  '[1e99MB] edge_1_x from /job:ps/task:0 to /job:ps/task:0',
  '/job:worker/replica:0/task:0/device:CPU:0',
  '/job:worker/replica:0/task:7/device:GPU:0/stream:all',
  '/job:ps/replica:0/task:99999999999/cpu:0 Compute',
  '/device:GPU:0/memcpy',
  'line\nbreak\u0000\u001b[31m\u2028',
  '\ud800',
  '9007199254740993',
  'x'.repeat(10_000),
  '/'.repeat(3000)
]

/** As they are written in JSON: also what JSON does not have. */
const LITERALS = [
  'null',
  'true',
  '-1',
  '0',
  '-0.0',
  '1e999',
  '-1e999',
  'NaN',
  '1e-320',
  '9007199254740993',
  '1e15',
  '18446744073709551616',
  '[]',
  '{}',
  '[[[[[]]]]]',
  '{"__proto__":{"name":"x"}}',
  '{"name":1,"name":2}',
  '0.1',
  '1.99e16',
  `"${'y'.repeat(5000)}"`,
  '"\\ud800"',
  '\u0001'
]
const MARK = '\u2016'

/** @param {unknown} value @returns {Array<[Record<string, unknown>, string]>} every place, with its owner */
function placesOf(value) {
  /** @type {Array<[Record<string, unknown>, string]>} */
  const places = []
  const open = [value]
  for (let owner = open.pop(); owner !== undefined; owner = open.pop()) {
    for (const [key, inner] of Object.entries(/** @type {object} */ (owner))) {
      places.push([/** @type {Record<string, unknown>} */ (owner), key])
      if (typeof inner === 'object' && inner !== null) open.push(inner)
    }
  }
  return places
}

/** @type {Record<string, (owner: Record<string, unknown>, key: string, pick: number, places: ReturnType<typeof placesOf>) => void>} */
const jsonChange = {
  drop: (owner, key) => {
    if (Array.isArray(owner)) owner.splice(Number(key), 1)
    else delete owner[key]
  },
  repeat: (owner, key, pick) => {
    if (Array.isArray(owner)) owner.splice(Number(key), 0, ...new Array((pick % 40) + 1).fill(owner[Number(key)]))
    else owner[`${key}${pick % 5}`] = owner[key]
  },
  swap: (owner, key, pick, places) => {
    const [other, otherKey] = places[pick % places.length]
    if (typeof owner[key] !== 'object' && typeof other[otherKey] !== 'object')
      [owner[key], other[otherKey]] = [other[otherKey], owner[key]]
  },
  number: (owner, key, pick) => {
    owner[key] = `${MARK}${pick % LITERALS.length}${MARK}`
  },
  near: (owner, key, pick) => {
    const value = owner[key]
    if (typeof value === 'number') owner[key] = value + (pick % 2001) - 1000
  },
  text: (owner, key, pick) => {
    owner[key] = hostileTexts[pick % hostileTexts.length]
  }
}
export const textChanges = Object.keys(jsonChange)

/**
 * @param {Uint8Array} bytes
 * @param {ReadonlyArray<{ change: string, at: number, pick: number }>} mutations
 */
export function mutateJson(bytes, mutations) {
  const value = JSON.parse(new TextDecoder().decode(bytes))
  for (const { change, at, pick } of mutations) {
    const places = placesOf(value)
    if (places.length === 0) break
    const [owner, key] = places[at % places.length]
    jsonChange[change]?.(owner, key, pick, places)
  }
  const text = JSON.stringify(value).replaceAll(new RegExp(`"${MARK}(\\d+)${MARK}"`, 'g'), (_, i) => LITERALS[Number(i)])
  return new TextEncoder().encode(text)
}

const VALUES = [
  '-1',
  '0',
  '1e999',
  'nan',
  'inf',
  '18446744073709551616',
  '9223372036854775807',
  '0x10',
  'TRUE',
  '""',
  '"a" "b"',
  "'\\x41\\101'",
  '"\\',
  '{',
  '}',
  '[1, 2]',
  '# x',
  'x { y: 1 }'
]

/** @type {Record<string, (lines: string[], i: number, pick: number) => void>} */
const lineChange = {
  drop: (lines, i) => lines.splice(i, 1),
  repeat: (lines, i, pick) => lines.splice(i, 0, ...new Array((pick % 40) + 1).fill(lines[i])),
  swap: (lines, i, pick) => {
    const other = pick % lines.length
    ;[lines[i], lines[other]] = [lines[other], lines[i]]
  },
  number: (lines, i, pick) => {
    lines[i] = lines[i].replace(/: .*/, `: ${VALUES[pick % VALUES.length]}`)
  },
  near: (lines, i, pick) => {
    lines[i] = lines[i].replace(/\d+$/, digits => String(BigInt(digits) + BigInt((pick % 20_001) - 10_000)))
  },
  text: (lines, i, pick) => {
    lines[i] = lines[i].replace(/: .*/, `: ${JSON.stringify(hostileTexts[pick % hostileTexts.length])}`)
  }
}

/**
 * @param {Uint8Array} bytes of a text protobuf
 * @param {ReadonlyArray<{ change: string, at: number, pick: number }>} mutations
 */
export function mutateLines(bytes, mutations) {
  const lines = new TextDecoder().decode(bytes).split('\n')
  for (const { change, at, pick } of mutations) if (lines.length > 0) lineChange[change]?.(lines, at % lines.length, pick)
  return new TextEncoder().encode(lines.join('\n'))
}
