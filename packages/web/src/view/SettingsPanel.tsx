import { modes, policyNames } from '@foretrain/predictor/text'
import type { ComponentChildren } from 'preact'
import { change } from '../actions/simulate.ts'
import { placements } from '../question.ts'
import { defaultSettings, type Settings } from '../settings.ts'
import { problem, settings, trace } from '../state.ts'

/** The cluster that is asked about. Every change is simulated at once. */
export function SettingsPanel() {
  const current = settings.value
  const traced = trace.value?.found.servers ?? 1
  return (
    <form class="card settings" aria-label="Cluster" onSubmit={event => event.preventDefault()}>
      <h2>Cluster</h2>
      <div class="fields">
        <TextField name="workers" label="workers" testId="workers-input" hint="8, 1-16 or 1,2,4,8">
          <Slider
            label="largest cluster"
            value={Math.log2(largestOf(current.workers))}
            min={0}
            max={8}
            step={0.25}
            text={`${largestOf(current.workers)} workers`}
            onSlide={power => change({ workers: upTo(Math.round(2 ** power)) })}
          />
        </TextField>
        <Choice
          name="servers"
          label="servers"
          value={String(current.servers)}
          options={[['0', `as traced (${traced})`], ...[1, 2, 3, 4, 6, 8, 16].map((n): [string, string] => [String(n), String(n)])]}
          onPick={text => change({ servers: Number(text) })}
        />
        <TextField name="bandwidth" label="bandwidth" testId="bandwidth-input" hint="as calibrated" unit="each way">
          <Slider
            label="bandwidth"
            value={Math.log10(bitsOf(current.bandwidth) ?? 1e9)}
            min={8}
            max={11}
            step={0.05}
            text={current.bandwidth || 'as calibrated'}
            onSlide={power => change({ bandwidth: bandwidthText(10 ** power) })}
          />
        </TextField>
        <TextField name="latency" label="latency" hint="as calibrated" unit="one way" />
        <NumberField name="computeSpeed" label="compute speed" unit="× as traced" min={0.1} max={100} step={0.05}>
          <Slider
            label="compute speed"
            value={Math.log2(current.computeSpeed)}
            min={-2}
            max={4}
            step={0.1}
            text={`${current.computeSpeed} times`}
            onSlide={power => change({ computeSpeed: Number((2 ** power).toPrecision(2)) })}
          />
        </NumberField>
        <NumberField name="batch" label="batch" unit="examples" min={1} max={1e9} step={1} />
        <Choice
          name="policy"
          label="policy"
          value={current.policy}
          options={policyNames.map(name => [name, name])}
          onPick={policy => change({ policy })}
        />
        {current.policy === 'priority' && (
          <>
            <TextField name="partition" label="partition" hint="default" unit="chunk size" />
            <TextField name="credit" label="credit" hint="default" unit="under way" />
          </>
        )}
        <TextField name="mode" label="mode" hint={modes.join(', ')} list={['async', 'sync', 'sync:backup=1', 'ssp:3', 'ssp:inf']} />
        <Choice
          name="placement"
          label="placement"
          value={current.placement}
          options={[['', 'as traced'], ...placements.map((name): [string, string] => [name, name])]}
          onPick={placement => change({ placement })}
        />
      </div>
      <details class="more">
        <summary>Effort</summary>
        <NumberField name="seed" label="seed" unit="" min={0} max={0xffff_ffff} step={1} />
        <TextField name="precision" label="precision" hint="1%" unit="of the mean" />
      </details>
      <button type="button" class="button quiet" onClick={() => change({ ...defaultSettings })}>
        Back to the defaults
      </button>
    </form>
  )
}

/** Problems name a field as the command names its flag. */
function isAbout(name: keyof Settings): boolean {
  const flag = `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
  return problem.value?.startsWith(`${flag} `) ?? false
}

type TextName = { [Name in keyof Settings]: Settings[Name] extends string ? Name : never }[keyof Settings]
type NumberName = { [Name in keyof Settings]: Settings[Name] extends number ? Name : never }[keyof Settings]

interface FieldProps {
  label: string
  unit?: string
  testId?: string
  children?: ComponentChildren
}

/** A field below its label, and whatever belongs to it. */
function Labelled({ name, label, unit, children }: FieldProps & { name: keyof Settings }) {
  return (
    <div class="field">
      <label for={`set-${name}`}>
        {label} {unit && <span class="unit">{unit}</span>}
      </label>
      {children}
    </div>
  )
}

/** What the inputs of all fields have: the label's target, and that the error is about them. */
function inputOf(name: keyof Settings) {
  const isWrong = isAbout(name)
  return { id: `set-${name}`, 'aria-invalid': isWrong, 'aria-describedby': isWrong ? 'problem' : undefined }
}

function TextField({
  name,
  label,
  hint,
  unit,
  testId,
  list,
  children
}: FieldProps & { name: TextName; hint: string; list?: string[] }) {
  return (
    <Labelled name={name} label={label} unit={unit}>
      <input
        {...inputOf(name)}
        type="text"
        data-testid={testId}
        value={settings.value[name]}
        placeholder={hint}
        list={list && `list-${name}`}
        autocomplete="off"
        spellcheck={false}
        onInput={event => change({ [name]: event.currentTarget.value.trim() })}
      />
      {list && (
        <datalist id={`list-${name}`}>
          {list.map(word => (
            <option key={word} value={word} />
          ))}
        </datalist>
      )}
      {children}
    </Labelled>
  )
}

interface NumberFieldProps extends FieldProps {
  name: NumberName
  min: number
  max: number
  step: number
}

function NumberField({ name, label, unit, min, max, step, children }: NumberFieldProps) {
  return (
    <Labelled name={name} label={label} unit={unit}>
      <input
        {...inputOf(name)}
        type="number"
        value={settings.value[name]}
        min={min}
        max={max}
        step={step}
        onInput={event => {
          const value = event.currentTarget.valueAsNumber
          if (Number.isFinite(value)) change({ [name]: value })
        }}
      />
      {children}
    </Labelled>
  )
}

interface ChoiceProps {
  name: string
  label: string
  value: string
  options: ReadonlyArray<readonly [string, string]>
  onPick: (value: string) => void
}

function Choice({ name, label, value, options, onPick }: ChoiceProps) {
  return (
    <div class="field">
      <label for={`set-${name}`}>{label}</label>
      <select id={`set-${name}`} value={value} onChange={event => onPick(event.currentTarget.value)}>
        {options.map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </select>
    </div>
  )
}

interface SliderProps {
  label: string
  value: number
  min: number
  max: number
  step: number
  /** The value in words, for screen readers. */
  text: string
  onSlide: (value: number) => void
}

function Slider({ label, value, min, max, step, text, onSlide }: SliderProps) {
  return (
    <input
      class="slider"
      type="range"
      aria-label={label}
      aria-valuetext={text}
      min={min}
      max={max}
      step={step}
      value={value}
      onInput={event => onSlide(event.currentTarget.valueAsNumber)}
    />
  )
}

function largestOf(workers: string): number {
  const numbers = workers.match(/[0-9]+/g)?.map(Number) ?? []
  return Math.min(256, Math.max(1, ...numbers))
}

/** All sizes of a small range; of a large one some, so that the curve keeps up with the hand. */
function upTo(largest: number): string {
  if (largest <= 32) return largest === 1 ? '1' : `1-${largest}`
  const sizes = Array.from({ length: 24 }, (_, i) => Math.round(largest ** (i / 23)))
  return [...new Set(sizes)].join(',')
}

function bitsOf(text: string): number | undefined {
  const [, digits, unit] = /^([0-9.]+) ?([kMG]?)bps$/.exec(text) ?? []
  const factors: Record<string, number> = { '': 1, k: 1e3, M: 1e6, G: 1e9 }
  return digits === undefined ? undefined : Number(digits) * factors[unit]
}

function bandwidthText(bits: number): string {
  return bits < 0.9995e9 ? `${Number((bits / 1e6).toPrecision(2))}Mbps` : `${Number((bits / 1e9).toPrecision(2))}Gbps`
}
