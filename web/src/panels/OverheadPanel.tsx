// Typical time: what real kernels pay beyond the bound, as a model that can be turned, and what each term costs the selected operation.
import { seconds, percent, type Maybe } from '../format';
import { formats } from '../state/catalogue';
import { detail, machine, valueOf, type Figure } from '../state/engine';
import { change, settings, type Overhead } from '../state/settings';
import { Slider } from '../widgets/Slider';

const TILES = ['64x64', '128x64', '128x128', '128x256', '256x128', '256x256'];

export function OverheadPanel() {
  const set = settings.value.overhead ?? {};
  const now = machine.value;
  const put = (part: { [Key in keyof Overhead]?: Overhead[Key] | undefined }) => {
    const next = Object.fromEntries(Object.entries({ ...set, ...part }).filter(([, value]) => value !== undefined && value !== ''));
    change({ overhead: Object.keys(next).length ? (next as Overhead) : undefined });
  };
  const own = (figure: Figure | undefined, factor: number, otherwise: number) => (valueOf(figure) ?? otherwise / factor) * factor;
  const source = (figure: Figure | undefined, without: string) => (typeof figure === 'object' ? [figure.basis, figure.source, figure.note].filter(Boolean).join(' · ') : without);
  const reset = (key: keyof Overhead) => (set[key] === undefined ? undefined : () => put({ [key]: undefined }));
  return (
    <details class="overhead" open={settings.value.overhead !== undefined || undefined}>
      <summary>Typical time: what kernels pay beyond the bound</summary>
      <div class="sliders">
        <Slider label="Launch" title={source(now?.launch_s, 'The machine states none. OpenXLA\'s GPU cost model had 5 µs, and has 1 µs for replayed graphs')} value={set.launch_us ?? own(now?.launch_s, 1e6, 0)} min={0} max={50} step={0.5} unit="µs" onInput={launch_us => put({ launch_us })} onReset={reset('launch_us')} />
        <Slider label="Peak reached" title={source(now?.achievable?.compute, 'The machine states none: all of it')} value={set.compute ?? own(now?.achievable?.compute, 100, 100)} min={1} max={100} unit="%" onInput={compute => put({ compute: Math.min(100, compute) })} onReset={reset('compute')} />
        <Slider label="Bandwidth" title={source(now?.achievable?.bandwidth, 'The machine states none: all of it')} value={set.bandwidth ?? own(now?.achievable?.bandwidth, 100, 100)} min={1} max={100} unit="%" onInput={bandwidth => put({ bandwidth: Math.min(100, bandwidth) })} onReset={reset('bandwidth')} />
        <Slider label="Overlap" title="How much of the shorter of computing and moving hides behind the longer. OpenXLA's GPU cost model takes 95 %" value={set.overlap ?? 100} min={0} max={100} unit="%" onInput={overlap => put({ overlap: Math.min(100, overlap) })} onReset={reset('overlap')} />
      </div>
      <label class="field" title="Formats narrower than this are made from it and turned back, in kernels of their own; weights alone are widened on chip, for nothing">
        Network in
        <select value={set.network ?? ''} onChange={event => put({ network: event.currentTarget.value || undefined })}>
          <option value="">each operation's formats</option>
          {formats.value.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
        </select>
      </label>
      <label class="field" title="What sums of products are kept in: it is read where a result is turned back">
        Accumulator
        <select value={set.accumulator ?? ''} onChange={event => put({ accumulator: event.currentTarget.value || undefined })}>
          <option value="">INT32, FP32</option>
          {formats.value.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
        </select>
      </label>
      <label class="field" title="One unit works on one tile at a time: a matrix product of few tiles leaves units idle">
        Tile
        <select value={set.tile ?? ''} onChange={event => put({ tile: event.currentTarget.value || undefined })}>
          <option value="">not looked at</option>
          {TILES.map(tile => <option key={tile} value={tile}>{tile.replace('x', ' × ')}</option>)}
        </select>
      </label>
      {set.tile && <Slider label="Units" title={source(now?.units, 'The machine states none')} value={set.units ?? own(now?.units, 1, 1)} min={1} max={512} digits={9} unit="" onInput={units => put({ units: Math.max(1, Math.round(units)) })} onReset={reset('units')} />}
      <Terms />
    </details>
  );
}

interface Typical { compute_s: Maybe; transfer_s: Maybe; exposed_s: Maybe; launch_s: Maybe; conversion_s: Maybe; fused_time_s: Maybe; waves: Maybe; wave_efficiency: Maybe; cache: string | null }

/// The terms of the selected operation's typical time.
export function Terms() {
  const op = detail.value?.op;
  const typical = op?.typical as Typical | undefined;
  if (!op || !typical || typical.fused_time_s == null) return null;
  const line = (name: string, value: string, note = '') => <div key={name}><dt>{name}</dt><dd>{value}</dd><dd class="muted" title={note}>{note}</dd></div>;
  const computes = (typical.compute_s ?? 0) >= (typical.transfer_s ?? 0);
  return (
    <dl class="numbers typical">
      {line('Computing', seconds(typical.compute_s), computes ? 'the longer of the two' : 'hides behind moving')}
      {line('Moving', seconds(typical.transfer_s), computes ? 'hides behind computing' : 'the longer of the two')}
      {(typical.exposed_s ?? 0) > 0 && line('Not hidden', seconds(typical.exposed_s), 'of the shorter')}
      {line('Launch', seconds(typical.launch_s))}
      {(typical.conversion_s ?? 0) > 0 && line('Conversions', seconds(typical.conversion_s), 'quantise and dequantise, with launches')}
      {line('Typical', seconds(op.typical_time_s as Maybe), (typical.conversion_s ?? 0) > 0 ? `${seconds(typical.fused_time_s)} with conversions fused` : 'longer + not hidden + launch')}
      {typical.waves != null && line('Waves', String(typical.waves), `${percent(typical.wave_efficiency)} of the units filled`)}
      {typical.cache && line('Fits', typical.cache, 'the device memory may be the wrong roof')}
    </dl>
  );
}
