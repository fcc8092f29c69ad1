/** The steps of runMetadata.ts in the other forms that TensorFlow writes. */

import { type DeviceFixture, encode, type NodeFixture, ORIGIN_US } from './runMetadata.ts'

/** StepStats alone: the content of the RunMetadata's first field. */
export function stepStats(devices: DeviceFixture[]): Uint8Array {
  const whole = encode(devices)
  let at = 1
  while (whole[at] >= 0x80) at++
  return whole.subarray(at + 1)
}

/** Text format, as `str(message)` prints it: non-ASCII bytes as octal escapes. */
function quoted(text: string): string {
  let out = ''
  for (const byte of new TextEncoder().encode(text)) {
    if (byte === 0x22 || byte === 0x5c) out += `\\${String.fromCharCode(byte)}`
    else out += byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`
  }
  return `"${out}"`
}

/** StepStats in text format. */
export function stepStatsText(devices: DeviceFixture[], originUs = ORIGIN_US): string {
  const lines: string[] = []
  for (const { device, records } of devices) {
    lines.push('dev_stats {', `  device: ${quoted(device)}`)
    for (const { name, label, start = 0, duration = 0, scheduled = start, bytes } of records) {
      lines.push('  node_stats {', `    node_name: ${quoted(name)}`, `    all_start_micros: ${originUs + start}`)
      lines.push(`    op_end_rel_micros: ${duration}`, `    all_end_rel_micros: ${duration}`)
      if (bytes !== undefined) {
        lines.push('    output {', '      tensor_description {', '        dtype: DT_FLOAT', '        shape {', '        }')
        lines.push('        allocation_description {', `          requested_bytes: ${bytes}`, '          allocator_name: "cpu"')
        lines.push('        }', '      }', '    }')
      }
      if (label !== undefined) lines.push(`    timeline_label: ${quoted(label)}`)
      if (name !== 'RecvTensor') lines.push(`    scheduled_micros: ${originUs + scheduled}`)
      lines.push('  }')
    }
    lines.push('}')
  }
  return `${lines.join('\n')}\n`
}

/** A RunMetadata in text format. */
export function runMetadataText(devices: DeviceFixture[], nodes: NodeFixture[] = [], originUs = ORIGIN_US): string {
  const lines = ['step_stats {', stepStatsText(devices, originUs), '}']
  if (nodes.length > 0) lines.push('partition_graphs {')
  for (const { name, op, device, inputs = [], tensor, from, to, clientTerminated } of nodes) {
    lines.push('  node {', `    name: ${quoted(name)}`, `    op: ${quoted(op)}`)
    for (const input of inputs) lines.push(`    input: ${quoted(input)}`)
    lines.push(`    device: ${quoted(device)}`)
    const attribute = (key: string, value: string) =>
      lines.push('    attr {', `      key: "${key}"`, `      value { ${value} }`, '    }')
    attribute('T', 'type: DT_FLOAT')
    if (tensor !== undefined) attribute('tensor_name', `s: ${quoted(tensor)}`)
    if (from !== undefined) attribute('send_device', `s: ${quoted(from)}`)
    if (to !== undefined) attribute('recv_device', `s: ${quoted(to)}`)
    if (clientTerminated === true) attribute('client_terminated', 'b: true')
    lines.push('  }')
  }
  if (nodes.length > 0) lines.push('  versions {', '    producer: 1987', '  }', '}')
  return `${lines.join('\n')}\n`
}

/** Events as timeline.py makes them: a process for each device, name, type and inputs of each operation; of a transfer nothing but its times. */
export function timelineEvents(devices: DeviceFixture[], originUs = ORIGIN_US): Array<Record<string, unknown>> {
  const named = devices.map(({ device }, pid) => ({
    ...{ name: 'process_name', ph: 'M', pid },
    args: { name: `${device} Compute` }
  }))
  const events = devices.flatMap(({ records }, pid) =>
    records.map(({ name, label = '', start = 0, duration = 0 }) => {
      const [, op = name, inputs = ''] = /^.* = (\w+)\((.*)\)$/.exec(label) ?? []
      const list = inputs === '' ? [] : inputs.split(', ')
      const args = { name, op, ...Object.fromEntries(list.map((input, i) => [`input${i}`, input])) }
      return { name: op, cat: 'Op', ph: 'X', pid, tid: 0, ts: originUs + start, dur: duration, args }
    })
  )
  return [...named, ...events]
}

export function timeline(devices: DeviceFixture[], originUs = ORIGIN_US): string {
  return JSON.stringify({ traceEvents: timelineEvents(devices, originUs) })
}
