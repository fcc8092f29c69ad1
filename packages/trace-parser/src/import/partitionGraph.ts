/**
 * Decodes the partition graphs of a RunMetadata (there when RunOptions.output_partition_graphs was set). Field numbers are those of
 * tensorflow/core/framework/graph.proto (GraphDef), node_def.proto (NodeDef) and attr_value.proto (AttrValue).
 */

import type { RawNode } from '../rawStep.ts'
import { lengthTag, shape, varintTag, type Wire } from './wire.ts'

const GRAPH_DEF = shape('GraphDef', [3], [1, 2, 4, 5])
const NODE_DEF = shape('NodeDef', [], [1, 2, 3, 4, 5, 6, 7])
const ATTR_ENTRY = shape('NodeDef.AttrEntry', [], [1, 2])
const ATTR_VALUE = shape('AttrValue', [3, 5, 6], [1, 2, 7, 8, 9, 10])

/** Appends the nodes of a GraphDef that ends at `end`; calls `spend` for each before it is kept. */
export function readGraph(wire: Wire, end: number, nodes: RawNode[], spend: () => void): void {
  while (wire.position < end) {
    const tag = wire.tag(end)
    if (tag === lengthTag(1)) {
      spend()
      nodes.push(readNode(wire, wire.end(end)))
    } else wire.skip(tag, GRAPH_DEF, end)
  }
  wire.finish(GRAPH_DEF.message, end)
}

function readNode(wire: Wire, end: number): RawNode {
  const node: RawNode = {
    name: '',
    op: '',
    device: '',
    inputs: [],
    tensorName: '',
    sendDevice: '',
    recvDevice: '',
    clientTerminated: false
  }
  while (wire.position < end) {
    const tag = wire.tag(end)
    switch (tag) {
      case lengthTag(1):
        node.name = wire.string(end)
        break
      case lengthTag(2):
        node.op = wire.string(end)
        break
      case lengthTag(3):
        node.inputs.push(wire.string(end))
        break
      case lengthTag(4):
        node.device = wire.string(end)
        break
      case lengthTag(5):
        readAttribute(wire, wire.end(end), node)
        break
      default:
        wire.skip(tag, NODE_DEF, end)
    }
  }
  wire.finish(NODE_DEF.message, end)
  return node
}

type Attribute = 'tensorName' | 'sendDevice' | 'recvDevice' | 'clientTerminated' | ''

/** A map entry is a message of its key (1) and value (2), the key first in all that TensorFlow writes. */
function readAttribute(wire: Wire, end: number, node: RawNode): void {
  let attribute: Attribute = ''
  while (wire.position < end) {
    const tag = wire.tag(end)
    if (tag === lengthTag(1)) {
      const keyEnd = wire.end(end)
      attribute = attributeAt(wire, keyEnd)
      wire.seek(keyEnd)
    } else if (tag === lengthTag(2) && attribute !== '') readValue(wire, wire.end(end), node, attribute)
    else wire.skip(tag, ATTR_ENTRY, end)
  }
  wire.finish(ATTR_ENTRY.message, end)
}

function attributeAt(wire: Wire, keyEnd: number): Attribute {
  if (wire.matches('tensor_name', keyEnd)) return 'tensorName'
  if (wire.matches('send_device', keyEnd)) return 'sendDevice'
  if (wire.matches('recv_device', keyEnd)) return 'recvDevice'
  if (wire.matches('client_terminated', keyEnd)) return 'clientTerminated'
  return ''
}

function readValue(wire: Wire, end: number, node: RawNode, attribute: Exclude<Attribute, ''>): void {
  while (wire.position < end) {
    const tag = wire.tag(end)
    if (tag === lengthTag(2) && attribute !== 'clientTerminated') node[attribute] = wire.string(end)
    else if (tag === varintTag(5) && attribute === 'clientTerminated') node.clientTerminated = wire.int64(end) !== 0
    else wire.skip(tag, ATTR_VALUE, end)
  }
  wire.finish(ATTR_VALUE.message, end)
}
