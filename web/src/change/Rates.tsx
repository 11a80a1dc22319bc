// The machine's rates as sliders; a changed one also shows the machine's own figure. They are the machine's, or those of a file's what-if.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { unitsIn, type Units } from '../format';
import { formatName } from '../core/catalogue';
import { panelFrame, units } from '../core/engine';
import { figureValue, type Figure, type Machine } from '../core/machine_document';
import { change, settings, type Channels } from '../core/settings';
import { NumberSetting } from '../widgets/SettingInput';
import { useWhatIfMachine, whatIfRate, type RatePath } from './whatif_machine';

const own = new Map<string, number>(); // the machine's figures by machine and rate, before they were typed over

/** The machine's own figure, if it was typed over and this visit has seen it. */
function wasOf(rate: string, typed: number | undefined, value: number) {
  const key = JSON.stringify([settings.value.machine, units.value.scale, rate]);
  if (typed === undefined) own.set(key, value);
  return typed === undefined ? undefined : own.get(key);
}

type Unit = 'matrix' | 'vector';

/** The rates in use of a machine that an operator or a language model runs on. */
export const Rates = ({ machine: now }: { machine: Machine }) => (
  <RateList
    machine={now}
    uniform={(value, counted) => <UniformPeak value={value} counted={counted} />}
    peak={peak => <PeakSlider key={`${peak.unit} ${peak.format}`} {...peak} />}
    memory={(memory, i) => <MemorySliders key={memory.name} memory={memory} device={i === 0} />}
  />
);

/** The rates of the machine that the what-if of a file changes. */
export function WhatIfRates({ machine: now }: { machine: Machine }) {
  const of = useWhatIfMachine(now);
  if (!of) return null;
  const slider = (
    setting: 'peak_tops' | 'bandwidths',
    label: string | null,
    path: RatePath,
    figure: Figure,
    unit: number,
    name?: string,
  ) => {
    const { value, own, set } = whatIfRate(of, of === now, path, figure);
    return (
      <NumberSetting
        key={path.join()}
        of={setting}
        {...(label !== null && { label })}
        {...(name !== undefined && { unit: name })}
        value={value / unit}
        was={own / unit}
        title={basisOf(figure)}
        onInput={next => set(next * unit)}
        onReset={value === own ? undefined : () => set(own)}
      />
    );
  };
  return (
    <RateList
      machine={of}
      uniform={(value, { scale, rate }) => slider('peak_tops', null, ['peaks'], value, 1e12 / scale, `T${rate}`)}
      peak={({ unit, format, figure }) => {
        const counted = unitsIn(units.value, format);
        return slider(
          'peak_tops',
          roofName(format, unit),
          ['peaks', unit, format],
          figure,
          1e12 / counted.scale,
          `T${counted.rate}`,
        );
      }}
      memory={(memory, i) =>
        (['bandwidth', 'read_bandwidth', 'write_bandwidth'] as const).map(channel => {
          const figure = memory[channel];
          const label = `${memory.name}${{ bandwidth: '', read_bandwidth: ' Read', write_bandwidth: ' Write' }[channel]}`;
          return figureValue(figure) === null
            ? null
            : slider('bandwidths', label, ['memories', i, channel], figure!, 1e9);
        })
      }
    />
  );
}

interface RateListProps {
  machine: Machine;
  uniform: (value: number, counted: Units) => ComponentChildren;
  peak: (peak: PeakOf) => ComponentChildren;
  memory: (memory: Memory, i: number) => ComponentChildren;
}

/** The peaks and bandwidths in use; the others on request. A machine with one peak for everything has one slider for it. */
function RateList({ machine: of, uniform: one, peak, memory }: RateListProps) {
  const [all, setAll] = useState(false);
  const peaks = peaksOf(of);
  const inPlay = new Set(
    panelFrame.value?.json.roofs.filter(roof => roof.in_play && !roof.whatif).map(({ name }) => name),
  );
  const uniform = peaks.length > 1 && peaks.every(({ value }) => value === peaks[0]!.value);
  const listed = all ? peaks : peaks.filter(({ format, unit }) => inPlay.has(roofName(format, unit)));
  const memories = of.memories
    .map((each, i) => ({ each, i }))
    .filter(({ each: { name }, i }) => all || i === 0 || [...inPlay].some(roof => roof.startsWith(name)));
  const hidden = peaks.length - listed.length + of.memories.length - memories.length;
  return (
    <div class="sliders">
      {uniform ? one(peaks[0]!.value, countedIn(peaks)) : listed.map(peak)}
      {memories.map(({ each, i }) => memory(each, i))}
      {!uniform && (hidden > 0 || all) && (
        <button type="button" class="link" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Only those in play' : `${hidden} more ${hidden === 1 ? 'rate' : 'rates'}`}
        </button>
      )}
    </div>
  );
}

/** The units of a peak that all these formats share: operations, if all of them are integers. */
function countedIn(peaks: PeakOf[]): Units {
  const [first, ...others] = peaks.map(({ format }) => unitsIn(units.value, format));
  return others.every(({ rate }) => rate === first!.rate) ? first! : units.value;
}

/** The name of a roof as in the frame. */
const roofName = (format: string, unit: Unit) => `${formatName(format)}${unit === 'vector' ? ' vector' : ''}`;

interface PeakOf {
  format: string;
  unit: Unit;
  value: number;
  figure: Figure;
}

function peaksOf({ peaks }: Machine): PeakOf[] {
  return (['matrix', 'vector'] as const).flatMap(unit =>
    Object.entries(peaks[unit] ?? {}).flatMap(([format, figure]) => {
      const value = figureValue(figure);
      return value === null ? [] : [{ format, unit, value, figure }];
    }),
  );
}

/** What a figure is based on, its source and its note. */
export const basisOf = (figure: Figure | undefined) =>
  typeof figure === 'object' ? [figure.basis, figure.source, figure.note].filter(Boolean).join(' · ') : undefined;

function UniformPeak({ value, counted: { scale, rate } }: { value: number; counted: Units }) {
  const typed = settings.value.peak_tops;
  return (
    <NumberSetting
      of="peak_tops"
      value={typed ?? (value * scale) / 1e12}
      was={wasOf('peak_tops', typed, (value * scale) / 1e12)}
      unit={`T${rate}`}
      onInput={peak_tops => change({ peak_tops })}
      onReset={typed === undefined ? undefined : () => change({ peak_tops: undefined })}
    />
  );
}

function PeakSlider({ format, unit, value, figure }: PeakOf) {
  const { scale, rate } = unitsIn(units.value, format);
  const peaks = settings.value.peaks;
  const typed = peaks?.[unit]?.[format];
  const set = (tops: number | undefined) => change({ peaks: merged(peaks, unit, merged(peaks?.[unit], format, tops)) });
  return (
    <NumberSetting
      of={`peaks.${unit}`}
      label={roofName(format, unit)}
      value={typed ?? (value * scale) / 1e12}
      was={wasOf(`${unit} ${format}`, typed, (value * scale) / 1e12)}
      unit={`T${rate}`}
      title={basisOf(figure)}
      onInput={set}
      onReset={typed === undefined ? undefined : () => set(undefined)}
    />
  );
}

type Memory = Machine['memories'][number];

function MemorySliders({ memory, device }: { memory: Memory; device: boolean }) {
  const { bandwidths, mem_bw } = settings.value;
  const typed = bandwidths?.[memory.name];
  const set = (bandwidth: number | Channels | undefined) =>
    change({ bandwidths: merged(bandwidths, memory.name, bandwidth), ...(device && { mem_bw: undefined }) });
  const whole = typeof typed === 'number' ? typed : device ? mem_bw : undefined;
  const channels = typeof typed === 'object' ? typed : undefined;
  return (
    <>
      <Bandwidth label={memory.name} figure={memory.bandwidth} typed={whole} onChange={set} />
      <Bandwidth
        label={`${memory.name} Read`}
        figure={memory.read_bandwidth}
        typed={channels?.read ?? whole}
        onChange={read => set(merged(channels, 'read', read))}
      />
      <Bandwidth
        label={`${memory.name} Write`}
        figure={memory.write_bandwidth}
        typed={channels?.write ?? whole}
        onChange={write => set(merged(channels, 'write', write))}
      />
    </>
  );
}

interface BandwidthProps {
  label: string;
  figure: Figure | undefined;
  typed: number | undefined;
  onChange: (value: number | undefined) => void;
}

function Bandwidth({ label, figure, typed, onChange }: BandwidthProps) {
  const value = figureValue(figure);
  if (value === null) return null;
  return (
    <NumberSetting
      of="bandwidths"
      label={label}
      value={typed ?? value / 1e9}
      was={wasOf(label, typed, value / 1e9)}
      title={basisOf(figure)}
      onInput={onChange}
      onReset={typed === undefined ? undefined : () => onChange(undefined)}
    />
  );
}

/** The object with a key set, or removed for undefined; undefined if it becomes empty. */
function merged<T extends object>(object: T | undefined, key: string, value: unknown): T | undefined {
  const next = Object.fromEntries(Object.entries({ ...object, [key]: value }).filter(([, item]) => item !== undefined));
  return Object.keys(next).length ? (next as T) : undefined;
}
