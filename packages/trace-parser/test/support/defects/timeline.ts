import { FORETRAIN, foretrainEvents, tensorFlowEvents } from '../traceEvents.ts'
import { type Defect, utf8 } from './defect.ts'

type Event = Record<string, unknown>

/** A timeline of foretrain: what is wrong with the document is then the only thing that is. */
const whole = (events: readonly Event[], lines = false) => {
  const text = events.map(event => JSON.stringify(event)).join(lines ? ',\n' : ',')
  return `{"otherData":${JSON.stringify(FORETRAIN)},"traceEvents":[${lines ? '\n' : ''}${text}]}`
}
const document = (events: readonly Event[]) => utf8(whole(events))
/** With one event changed. */
const changed = (index: number, change: Event) =>
  document(foretrainEvents().map((event, i) => (i === index ? { ...event, ...change } : event)))
const spliced = (index: number, ...events: Event[]) =>
  document([...foretrainEvents().slice(0, index), ...events, ...foretrainEvents().slice(index)])
const cutAt = (mark: string, text: string) => utf8(text.slice(0, text.lastIndexOf(mark)))
const [, , grad] = foretrainEvents()
const begin = (event: Event): Event => ({ ...event, ph: 'B', dur: undefined })
const end = ({ name, cat, pid, tid, ts, dur }: Event): Event => ({ name, cat, pid, tid, ts: Number(ts) + Number(dur), ph: 'E' })
/** Without the complete event that a pair stands for. */
const paired = (...pair: Event[]) => document([...foretrainEvents().slice(0, 2), ...pair, ...foretrainEvents().slice(3)])

export const timelineDefects: Record<string, Defect> = {
  'memory-objects.json': {
    source: 'tensorflow/tensorflow#3268',
    about: 'the objects and counters of show_memory',
    make: () =>
      spliced(
        2,
        ...['O', 'N', 'D', 'C'].map(ph => ({
          ph,
          id: '0x1',
          pid: 2,
          tid: 0,
          ts: 5,
          cat: 'Tensor',
          name: 'x',
          args: { snapshot: {} }
        }))
      )
  },
  'cut-at-a-line-break.json': {
    source: 'horovod/horovod#1022, horovod/horovod#603',
    about: 'a file cut where its maintainers advised to: no closing brackets',
    make: () => cutAt(']}', whole(foretrainEvents(), true))
  },
  'unclosed-trailing-comma.json': {
    source: 'google/trace-viewer#145, pfnet/pytorch-pfn-extras#798',
    about: 'no closing brackets, a comma behind the last event',
    make: () => utf8(`${whole(foretrainEvents(), true).slice(0, -2)},\n`)
  },
  'cut-within-an-event.json': {
    source: 'horovod/horovod#603',
    about: 'a file cut within an event',
    make: () => cutAt('"dependencies"', whole(foretrainEvents(), true))
  },
  'single-bracket.json': {
    source: 'horovod/horovod#1531',
    about: 'a file of 1 byte: [',
    make: () => utf8('[')
  },
  'newline-in-a-text.json': {
    source: 'horovod/horovod#1595',
    about: 'a raw newline within a JSON text',
    make: () => utf8(whole(foretrainEvents()).replace('"w/read"', '"w\nread"'))
  },
  'no-operations.json': {
    source: 'pytorch/kineto#595, pytorch/kineto#805',
    about: 'a timeline whose list of events is empty',
    make: () => document([])
  },
  'more-ends-than-begins.json': {
    source: 'jlfwong/speedscope#221',
    about: 'an end without a begin',
    make: () => spliced(3, end(grad))
  },
  'begin-without-end.json': {
    source: 'jlfwong/speedscope#222',
    about: 'a begin without an end, beside whole steps',
    make: () => document([...foretrainEvents(), begin(foretrainEvents(1)[2])])
  },
  'begin-and-end.json': {
    source: 'google/perfetto#1159',
    about: 'an operation as begin and end, with another pair inside',
    make: () => {
      const inner = { ...foretrainEvents()[3], ts: 150, dur: 10, tid: grad.tid }
      return paired(begin(grad), begin(inner), end(inner), end(grad))
    }
  },
  'end-without-a-name.json': {
    source: 'google/perfetto#1159',
    about: 'an end that closes the last begin, without its name',
    make: () => paired(begin(grad), { ...end(grad), name: undefined })
  },
  'fractional-microseconds.json': {
    source: 'pytorch/kineto#853, google/trace-viewer#624',
    about: 'times of 1.1, 1.3 and 1.7 µs: an operation ends 0.4 µs behind what waits for it',
    make: () => changed(2, { ts: 100.7, dur: 199.825 })
  },
  'integer-beyond-int64.json': {
    source: 'facebookresearch/HolisticTraceAnalysis#324',
    about: 'an id of 2^64 in an event that is no operation, and a time of 2^70',
    make: () =>
      utf8(
        whole([{ ph: 's', id: 'ID', ts: 'TIME', pid: 1, name: 'x' }, ...foretrainEvents()])
          .replace('"ID"', '18446744073709551616')
          .replace('"TIME"', '1180591620717411303424')
      )
  },
  'bad-utf8.json': {
    source: 'facebookresearch/HolisticTraceAnalysis#324',
    about: 'bytes that are no UTF-8 in a name',
    make: () => utf8(whole(foretrainEvents())).map((byte, i, all) => (byte === 0x77 && all[i + 1] === 0x2f ? 0xff : byte))
  },
  'unescaped-quote.json': {
    source: 'facebookresearch/HolisticTraceAnalysis#324',
    about: 'a quote within a text',
    make: () => utf8(whole(foretrainEvents()).replace('"w/read"', '"w"read"'))
  },
  'no-process.json': {
    source: 'ethercrow/opentelemetry-haskell#59',
    about: 'events without a pid',
    make: () => document(foretrainEvents().map(event => ({ ...event, pid: undefined })))
  },
  'extra-brace.json': {
    source: 'aras-p/ClangBuildAnalyzer#1',
    about: 'one brace too many in the middle',
    make: () => utf8(whole(foretrainEvents()).replace('}},{', '}}},{'))
  },
  'numbers-as-text.json': {
    source: 'jlfwong/speedscope sample multi-thread-with-samples.json',
    about: 'ts, dur, pid and tid as texts',
    make: () =>
      document(
        foretrainEvents().map(({ ts, dur, pid, tid, ...event }) => ({
          ...event,
          ts: `${ts}`,
          dur: `${dur}`,
          pid: `${pid}`,
          tid: `${tid}`
        }))
      )
  },
  'negative-duration.json': {
    source: 'gaogaotiantian/viztracer#110',
    about: 'an operation that ends before it starts',
    make: () => changed(2, { dur: -5000 })
  },
  'nan.json': {
    source: 'made by hand',
    about: 'a time that is NaN, which JSON does not have',
    make: () => utf8(whole(foretrainEvents()).replace('"ts":100', '"ts":NaN'))
  },
  'infinite.json': {
    source: 'made by hand',
    about: 'a duration of 1e999',
    make: () => utf8(whole(foretrainEvents()).replace('"dur":200.125', '"dur":1e999'))
  },
  '__proto__.json': {
    source: 'made by hand',
    about: 'keys that JavaScript objects inherit',
    make: () =>
      utf8(
        whole(foretrainEvents())
          .replaceAll('"args":{', '"args":{"__proto__":{"id":99,"step":7},"constructor":1,')
          .replaceAll('"ph":"X"', '"ph":"X","__proto__":{"ph":"M"}')
      )
  },
  'names-missing.json': {
    source: 'made by hand',
    about: 'operations of TensorFlow without a name',
    make: () =>
      utf8(JSON.stringify({ traceEvents: tensorFlowEvents().map(event => ({ ...event, ...(event.ph === 'X' && { args: {} }) })) }))
  }
}
