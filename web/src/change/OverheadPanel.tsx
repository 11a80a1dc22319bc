// The estimate: its terms beyond the bound, which can be changed, and what each adds to the selected operation.
import { useEffect, useState } from 'preact/hooks';
import { seconds, percent, type Maybe } from '../format';
import { formats, stacks } from '../core/catalogue';
import { detail, machine } from '../core/engine';
import { figureValue, type Figure } from '../core/machine_document';
import { change, changeIn, settings, type KeyOf, type Overhead } from '../core/settings';
import { useTermsInForce } from '../core/terms_in_force';
import { figureRow } from '../inspector/figure_row';
import { SETTINGS } from '../protocol';
import { ChoiceSetting, NumberSetting } from '../widgets/SettingInput';
import { basisOf } from './Rates';

const TILES = ['64x64', '128x64', '128x128', '128x256', '256x128', '256x256'];

export function OverheadPanel() {
  const set = settings.value.overhead ?? {};
  const achievable = machine.value?.achievable;
  const changed = settings.value.overhead !== undefined;
  const [open, setOpen] = useState(changed);
  useEffect(() => void (changed && setOpen(true)), [changed]); // a link that is read later, or Undo, may set them
  const inForce = useTermsInForce(open);
  return (
    <details class="overhead" open={open} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>Estimate (overheads)</summary>
      <ChoiceSetting
        of="stack"
        value={settings.value.stack}
        options={stacks.value}
        onChange={stack => change({ stack })}
      />
      <div class="sliders">
        <Term name="launch_us" own={machine.value?.launch_s} inForce={inForce?.launch_s} per={1e6} otherwise={0} />
        <Term name="compute" own={achievable?.compute} inForce={inForce?.compute} per={100} otherwise={1} />
        <Term name="bandwidth" own={achievable?.bandwidth} inForce={inForce?.bandwidth} per={100} otherwise={1} />
        <Term name="overlap" inForce={inForce?.overlap} per={100} otherwise={1} />
      </div>
      <ChoiceSetting
        of="overhead.network"
        value={set.network}
        options={formats.value}
        onChange={network => changeIn('overhead', { network })}
      />
      <ChoiceSetting
        of="overhead.accumulator"
        value={set.accumulator}
        options={formats.value}
        onChange={accumulator => changeIn('overhead', { accumulator })}
      />
      <ChoiceSetting
        of="overhead.tile"
        value={set.tile}
        options={TILES.map(tile => ({ id: tile, name: tile.replace('x', ' × ') }))}
        onChange={tile => changeIn('overhead', { tile })}
      />
      {set.tile && <Term name="units" own={machine.value?.units} inForce={inForce?.units} otherwise={1} />}
      <Terms />
    </details>
  );
}

type Name = KeyOf<'number'> extends infer Key ? (Key extends `overhead.${infer Name}` ? Name : never) : never;

/// One number of the estimate. Unset, it is the machine's or the stack's figure, else `otherwise`.
function Term({
  name,
  own,
  inForce,
  per = 1,
  otherwise = 0,
}: {
  name: Name & keyof Overhead;
  own?: Figure | undefined;
  inForce: number | null | undefined;
  per?: number;
  otherwise?: number;
}) {
  const key = `overhead.${name}` as const;
  const set = settings.value.overhead?.[name];
  const value = set ?? (inForce ?? figureValue(own) ?? otherwise) * per;
  return (
    <NumberSetting
      of={key}
      value={value}
      title={[SETTINGS[key].sentence, basisOf(own)].filter(Boolean).join('\n')}
      onInput={value => changeIn('overhead', { [name]: value })}
      onReset={set === undefined ? undefined : () => changeIn('overhead', { [name]: undefined })}
    />
  );
}

/// Terms that a software stack adds to an operator of a language model.
const STACK_TERMS = [
  ['layers', 'Per layer', 'its part of the fixed time of each layer'],
  ['hops', 'All-reduce', 'latency'],
  ['widen', 'Dequantising', 'narrow weights'],
  ['elementwise', 'Not fused', 'element-wise traffic'],
  ['scores', 'Scores', 'written to and read from memory'],
  ['chunks', 'Chunks', 'weights read again'],
] as const;

interface Typical {
  terms: Record<string, number>;
  compute_s: Maybe;
  transfer_s: Maybe;
  exposed_s: Maybe;
  launch_s: Maybe;
  conversion_s: Maybe;
  fused_time_s: Maybe;
  waves: Maybe;
  wave_efficiency: Maybe;
  cache: string | null;
}

/** How `time_s` follows from `full_s`, that at the full rate: "1.32 ms at peak / 84.5% reached / 85% of units occupied". Empty: they are equal, or not known. */
function quotient(full_s: Maybe, at: string, time_s: Maybe, occupied: Maybe = null) {
  if (!full_s || !time_s || time_s < 1.0005 * full_s) return '';
  const units = occupied ?? 1;
  const reached = full_s / time_s / units;
  return [
    `${seconds(full_s)} ${at}`,
    ...(reached < 0.9995 ? [`${percent(reached)} reached`] : []),
    ...(units < 0.9995 ? [`${percent(units)} of units occupied`] : []),
  ].join(' / ');
}

/** The terms of the selected operation's estimate. */
function Terms() {
  const op = detail.value?.op;
  const typical = op?.typical as Typical | undefined;
  if (!op || !typical || typical.fused_time_s == null) return null;
  const computes = (typical.compute_s ?? 0) >= (typical.transfer_s ?? 0);
  const [overlapped, longer] = ['overlapped', 'the longer one'];
  const { compute: atPeak = null, ...moved } = op.min_time_s as Record<string, Maybe>;
  const atFullRate = Math.max(...Object.values(moved).map(time => time ?? 0));
  const terms: [name: string, time: Maybe, note: string][] = [
    ['Not overlapped', typical.exposed_s, 'part of the shorter one'],
    ['Launch', typical.launch_s, ''],
    ...STACK_TERMS.map(([term, name, note]): [string, Maybe, string] => [name, typical.terms[term] ?? null, note]),
    ['Conversions', typical.conversion_s, 'quantise and dequantise, with launches'],
  ];
  const added = terms.filter(([, time]) => (time ?? 0) > 0);
  const sum = ['the longer one', ...added.map(([name]) => name.toLowerCase())].join(' + ');
  return (
    <dl class="numbers typical" aria-label="Terms of the estimate">
      {figureRow(
        'Compute',
        seconds(typical.compute_s),
        computes ? longer : overlapped,
        quotient(atPeak, 'at peak', typical.compute_s, typical.wave_efficiency),
      )}
      {figureRow(
        'Transfers',
        seconds(typical.transfer_s),
        computes ? overlapped : longer,
        quotient(atFullRate, 'at full rate', typical.transfer_s),
      )}
      {added.map(([name, time, note]) => figureRow(name, seconds(time), note))}
      {figureRow(
        'Estimate',
        seconds(op.typical_time_s as Maybe),
        (typical.conversion_s ?? 0) > 0 ? `${sum}; ${seconds(typical.fused_time_s)} with conversions fused` : sum,
      )}
      {typical.waves != null && figureRow('Waves', String(typical.waves), 'rounds of one tile per unit')}
      {typical.cache &&
        figureRow('Fits in', typical.cache, 'if it is still cached, the roof of the device memory does not apply')}
    </dl>
  );
}
