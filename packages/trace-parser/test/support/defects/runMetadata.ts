import { gzipSync } from 'node:zlib'
import {
  type DeviceFixture,
  encode,
  type NodeFixture,
  ORIGIN_US,
  type RecordFixture,
  ran,
  received,
  SERVER,
  type StepFixture,
  step,
  WORKER
} from '../runMetadata.ts'
import type { Defect } from './defect.ts'

/** Where a defective step stands among sound ones a second apart. */
const originUs = ORIGIN_US + 3_000_000
const GPU = '/job:worker/replica:0/task:0/device:GPU:0'

const one = (fixture: StepFixture) => step({ originUs, ...fixture })
/** The records of `name` changed. */
const changed = (name: string, change: Partial<RecordFixture>) =>
  one({ edit: records => records.map(record => (record.name === name ? { ...record, ...change } : record)) })
const isTransfer = ({ name }: RecordFixture) => name === 'RecvTensor'
const ofWorker = (records: RecordFixture[], device: string) => device === WORKER && records[0].name === '_SOURCE'
const added = (...more: RecordFixture[]) =>
  one({ edit: (records, device) => (ofWorker(records, device) ? [...records, ...more] : records) })
const transfersChanged = (change: (record: RecordFixture) => RecordFixture) =>
  one({ edit: records => records.map(record => (isTransfer(record) ? change(record) : record)) })
const scaled = (factor: number) =>
  one({
    edit: records =>
      records.map(record => {
        const at = (value = 0) => Math.round(value * factor)
        return {
          ...record,
          start: at(record.start),
          duration: at(record.duration),
          scheduled: at(record.scheduled ?? record.start)
        }
      })
  })
const kernels = [ran('one:Conv2D', 'Conv2D', [], 120, 80), ran('one:Conv2D', 'Conv2D', [], 210, 40)]
const graph: NodeFixture[] = ['one', 'two', 'grad_a', 'grad_b'].map(name => ({
  ...{ name, op: 'MatMul', device: WORKER },
  inputs: name === 'one' ? ['^two'] : ['one']
}))

export const runMetadataDefects: Record<string, Defect> = {
  'no-recvtensor.pb': {
    source: 'tensorflow/tensorflow#4809, tensorflow/tensorflow#43116 (RDMA)',
    about: 'operations of a worker and a server, no transfer between them',
    make: () => one({ edit: records => records.filter(record => !isTransfer(record)) })
  },
  'long-hole.pb': {
    source: 'tensorflow/tensorflow#9753',
    about: 'a server that waits 1 ms before it updates',
    make: () => changed('update_b', { start: 1660, scheduled: 1660 })
  },
  'server-clock-5ms-ahead.pb': {
    source: "TensorFlow's grpc_remote_worker.cc, as reported from clusters without NTP",
    about: 'starts of transfers on a clock that is 5 ms ahead, clamped to 1 µs before their ends',
    make: () => one({ skew: 5000 })
  },
  'megabytes-in-a-microsecond.pb': {
    source: "TensorFlow's grpc_remote_worker.cc",
    about: 'a pull of 8 MB recorded as 1 µs long',
    make: () => transfersChanged(record => (record.label?.includes('_b/read ') ? { ...record, start: 199, duration: 1 } : record))
  },
  'sizes-only-in-labels.pb': {
    source: "TensorFlow's worker_cache_logger.cc",
    about: 'no requested_bytes: 8,000,000 bytes stand as "7.6MB" in the label',
    make: () => transfersChanged(record => ({ ...record, bytes: undefined }))
  },
  'label-rounded-to-a-tenth.pb': {
    source: "TensorFlow's worker_cache_logger.cc",
    about: '140,000 bytes whose label says 0.1MB; requested_bytes has them exactly',
    make: () =>
      transfersChanged(record =>
        record.bytes === 4000 ? { ...record, bytes: 140_000, label: record.label?.replace('[4000B]', '[0.1MB]') } : record
      )
  },
  'two-workers.pb': {
    source: 'tensorflow/tensorflow#13680',
    about: 'a second worker in the trace of the first',
    make: () =>
      one({ extra: [{ device: '/job:worker/replica:0/task:1/device:CPU:0', records: [ran('other', 'MatMul', [], 100, 50)] }] })
  },
  'end-of-zero.pb': {
    source: 'pytorch/kineto#646, IBM/prompt-declaration-language#391',
    about: 'an operation that never ended: its end is 0, its duration 57 years below 0',
    make: () => changed('grad_a', { raw: { allEndRel: -ORIGIN_US } })
  },
  'negative-duration.pb': {
    source: 'gaogaotiantian/viztracer#110',
    about: 'an operation of −5 ms',
    make: () => changed('grad_a', { raw: { allEndRel: -5000 } })
  },
  'memory-copy-in-the-year-2603.pb': {
    source: 'tensorpack/tensorpack#819',
    about: 'a memory copy at 19978045970716470 µs, beyond 2^53, beside a step of 2018',
    make: () =>
      one({
        extra: [
          {
            device: `${GPU}/stream:7`,
            records: [ran('edge:MEMCPYHtoD', '', [], 20, 359, { raw: { allStart: 19_978_045_970_716_470n } })]
          }
        ]
      })
  },
  'operation-in-the-year-2603.pb': {
    source: 'tensorpack/tensorpack#819',
    about: 'an operation at 19978045970716470 µs, which is more than 2^53',
    make: () => changed('grad_a', { raw: { allStart: 19_978_045_970_716_470n } })
  },
  'gpu-on-a-clock-of-its-own.pb': {
    source: 'tensorflow/tensorflow#72156',
    about: 'GPU kernels counted from 0, the rest from 1970',
    make: () =>
      one({
        extra: [{ device: '/device:GPU:0/stream:all', records: kernels.map(kernel => ({ ...kernel, raw: { allStart: 500 } })) }]
      })
  },
  'no-step-stats.pb': {
    source: 'tensorflow/tensorflow#36314',
    about: 'RunMetadata of TensorFlow 2.1: partition graphs, no step_stats',
    make: () => encode([], graph)
  },
  'gpu-lanes-three-times.pb': {
    source: 'tensorflow/tensorflow#37074',
    about: 'a kernel in stream:all, in its own stream and as the time of its launch',
    make: () =>
      one({
        extra: [
          { device: `${GPU}/stream:all`, records: kernels },
          { device: `${GPU}/stream:7`, records: kernels },
          { device: `${GPU}/memcpy`, records: [ran('edge:MEMCPYHtoD', '', [], 20, 5)] }
        ]
      })
  },
  'parallel-operations.pb': {
    source: 'tensorflow/tensorflow#24572, tensorflow/profiler-ui#13',
    about: 'four operations at once: their sum is four times the step',
    make: () => added(...[0, 1, 2, 3].map(i => ran(`side_${i}`, 'Conv2D', ['a/read_S1'], 100, 400)))
  },
  'half-a-step.pb': {
    source: 'openxla/xprof#265',
    about: 'the profiler dropped what came after the first layer',
    make: () => one({ edit: records => records.filter(({ name }) => !/^(?:two|grad_|update_)/.test(name)) })
  },
  'clock-from-boot.pb': {
    source: 'horovod/horovod#1472',
    about: 'times of an arbitrary origin, 354516603107 µs',
    make: () => one({ originUs: 354_516_603_107 })
  },
  'times-in-nanoseconds.pb': {
    source: 'google/perfetto#274, google/perfetto#983',
    about: 'a step of 0.67 s that looks like two hours',
    make: () => scaled(10_000_000)
  },
  'times-in-seconds.pb': {
    source: 'microsoft/perfview#2013, uiuc-hpc/Recorder#20',
    about: 'a step of 7 µs',
    make: () => scaled(0.01)
  },
  'one-microsecond-backwards.pb': {
    source: 'jlfwong/speedscope#471',
    about: 'an operation that starts 1 µs before its input ended',
    make: () => changed('two', { start: 299, scheduled: 299 })
  },
  'no-durations.pb': {
    source: 'mlcommons/chakra#121',
    about: 'operations of the worker without a duration',
    make: () =>
      one({
        edit: (records, device) => (ofWorker(records, device) ? records.map(record => ({ ...record, duration: 0 })) : records)
      })
  },
  'control-inputs.pb': {
    source: 'joapolarbear/dpro#3',
    about: 'inputs written ^name, which are no operations',
    make: () => added(ran('after', 'Grad', ['^one', '^grad_a'], 460, 30))
  },
  'no-partition-graphs.pb': {
    source: 'mlcommons/chakra#128',
    about: 'only labels tell what waits for what',
    make: () => one({})
  },
  'cyclic-graph.pb': {
    source: 'made by hand',
    about: 'partition graphs in which two operations wait for each other',
    make: () => one({ nodes: graph })
  },
  'same-name-in-two-tasks.pb': {
    source: 'made by hand',
    about: 'a worker and a server that both ran "rate" and "_SOURCE"',
    make: () => added(ran('rate', 'Const', [], 6, 1))
  },
  'duplicate-names.pb': {
    source: 'KittiBox timelines: 9,610 repeats',
    about: 'the kernels of one operation as records of one name',
    make: () => added(ran('two', 'MatMul', ['one'], 400, 20), ran('two', 'MatMul', ['one'], 420, 20))
  },
  'no-names.pb': {
    source: 'made by hand',
    about: 'records with empty names and labels',
    make: () => added({ name: '', label: '', start: 300, duration: 5 }, { name: '', start: 310, duration: 5 })
  },
  '__proto__.pb': {
    source: 'made by hand',
    about: 'operations named as what JavaScript objects inherit',
    make: () => added(...['__proto__', 'constructor', 'toString'].map((name, i) => ran(name, 'Grad', ['one'], 310 + i, 30)))
  },
  'clock-jump.pb': {
    source: 'made by hand',
    about: 'an operation two hours after the rest of its task',
    make: () => changed('grad_a', { raw: { allStart: originUs + 7_200_000_000 } })
  },
  'unknown-label.pb': {
    source: 'made by hand',
    about: 'a transfer whose label names neither tensor nor tasks',
    make: () => added({ name: 'RecvTensor', label: 'something else', start: 20, duration: 30, bytes: 4 })
  },
  'huge-size.pb': {
    source: 'bench/fuzz: it kept the simulator busy for half an hour',
    about: 'requested_bytes of 1.5e15 beside a label of 7.6MB',
    make: () => transfersChanged(record => (record.bytes === 8_000_000 ? { ...record, bytes: 1_500_000_000_000_000 } : record))
  },
  'huge-tensor.pb': {
    source: 'made by hand',
    about: 'a transfer of 2^60 bytes by its label',
    make: () =>
      added({
        ...received('edge_90_x', SERVER, WORKER, 20, 30, 4),
        label: `[1152921504606846976B] [1.000000Mb/s] edge_90_x from ${SERVER} to ${WORKER}`,
        bytes: undefined
      })
  },
  'ten-thousand-devices.pb.gz': {
    source: 'made by hand',
    about: '10,000 GPUs, each with a record',
    make: () =>
      gzipSync(
        one({
          extra: Array.from(
            { length: 10_000 },
            (_, i): DeviceFixture => ({
              device: `/job:worker/replica:0/task:0/device:GPU:${i}`,
              records: [ran(`n${i}`, 'Grad', ['one'], 310, 30)]
            })
          )
        })
      )
  },
  'cut-off.pb': {
    source: 'cake-lab/CM-DARE raw_data, horovod/horovod#603: disks that filled up',
    about: 'the first half of a file',
    make: () => one({}).subarray(0, 700)
  },
  'cut-off.pb.gz': {
    source: 'cake-lab/CM-DARE raw_data',
    about: 'the first half of a gzip file',
    make: () => gzipSync(one({})).subarray(0, 400)
  },
  'sixteen-bytes-of-anything.bin': {
    source: 'catapult-project/catapult#2378',
    about: 'bytes of no known format',
    make: () => Uint8Array.from([0xde, 0xad, 0xbe, 0xef, 0, 1, 2, 3, 0xff, 0xfe, 0xfd, 0xfc, 0x80, 0x81, 0x82, 0x83])
  },
  'empty.json': {
    source: 'cake-lab/CM-DARE raw_data, timeline-972.json',
    about: '0 bytes',
    make: () => new Uint8Array()
  }
}
