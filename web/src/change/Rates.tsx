// The machine's rates as sliders; a changed one also shows the machine's own figure.
import { useState } from 'preact/hooks';
import { unitsIn } from '../format';
import { formatName } from '../core/catalogue';
import { panelFrame, units, valueOf, type Figure, type Machine } from '../core/engine';
import { change, settings, type Channels } from '../core/settings';
import { NumberSetting } from '../widgets/SettingInput';

const own = new Map<string, number>(); // the machine's figures by machine and rate, before they were typed over

/** The machine's own figure, if it was typed over and this visit has seen it. */
function wasOf(rate: string, typed: number | undefined, value: number) {
  const key = JSON.stringify([settings.value.machine, units.value.scale, rate]);
  if (typed === undefined) own.set(key, value);
  return typed === undefined ? undefined : own.get(key);
}

type Unit = 'matrix' | 'vector';

/** The peaks and bandwidths in use; the others on request. */
export function Rates({ machine: now }: { machine: Machine }) {
  const [all, setAll] = useState(false);
  const peaks = peaksOf(now);
  const inPlay = new Set(
    panelFrame.value?.json.roofs.filter(roof => roof.in_play && !roof.whatif).map(({ name }) => name),
  );
  const uniform = peaks.length > 1 && peaks.every(({ value }) => value === peaks[0]!.value);
  const listed = all ? peaks : peaks.filter(({ format, unit }) => inPlay.has(roofName(format, unit)));
  const memories = all
    ? now.memories
    : now.memories.filter(({ name }, i) => i === 0 || [...inPlay].some(roof => roof.startsWith(name)));
  const hidden = peaks.length - listed.length + now.memories.length - memories.length;
  return (
    <div class="sliders">
      {uniform ? (
        <UniformPeak value={peaks[0]!.value} />
      ) : (
        listed.map(peak => <PeakSlider key={`${peak.unit} ${peak.format}`} {...peak} />)
      )}
      {memories.map((memory, i) => (
        <MemorySliders key={memory.name} memory={memory} device={i === 0} />
      ))}
      {!uniform && (hidden > 0 || all) && (
        <button type="button" class="link" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Only those in play' : `${hidden} more ${hidden === 1 ? 'rate' : 'rates'}`}
        </button>
      )}
    </div>
  );
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
      const value = valueOf(figure);
      return value === null ? [] : [{ format, unit, value, figure }];
    }),
  );
}

const basis = (figure: Figure | undefined) =>
  typeof figure === 'object' ? [figure.basis, figure.source, figure.note].filter(Boolean).join(' · ') : undefined;

/** A machine with one peak for everything has one slider for it. */
function UniformPeak({ value }: { value: number }) {
  const { scale, rate } = units.value;
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
      title={basis(figure)}
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
  const value = valueOf(figure);
  if (value === null) return null;
  return (
    <NumberSetting
      of="bandwidths"
      label={label}
      value={typed ?? value / 1e9}
      was={wasOf(label, typed, value / 1e9)}
      title={basis(figure)}
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
