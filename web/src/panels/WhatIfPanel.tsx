// Another format, batch or machine against today: a range, never one number.
import { NONE, range, seconds } from '../format';
import { formats, machines } from '../state/catalogue';
import { detail, panelFrame, type Machine } from '../state/engine';
import { machineOf, machineOptions } from '../state/machines';
import { change, changeWhatIf, settings, type WhatIf } from '../state/settings';
import { Combobox } from '../widgets/Combobox';
import { Slider } from '../widgets/Slider';
import { OverheadPanel } from './OverheadPanel';

const ROLES = [['weight', 'Weights'], ['activation', 'Activations'], ['output', 'Output'], ['kv', 'KV cache']] as const;
const SCALES = [['batch_scale', 'Batch', 1 / 8, 64], ['peak_scale', 'Peaks', 1 / 8, 16], ['bandwidth_scale', 'Bandwidth', 1 / 8, 16]] as const;

export function WhatIfPanel() {
  const whatif = settings.value.whatif ?? {};
  return (
    <div class="whatif-panel">
      {ROLES.map(([role, label]) => (
        <label key={role} class="field">
          {label}
          <select value={whatif[role] ?? ''} onChange={event => changeWhatIf({ [role]: event.currentTarget.value || undefined })}>
            <option value="">as they are</option>
            {formats.value.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
          </select>
        </label>
      ))}
      <div class="sliders">
        {SCALES.map(([key, label, min, max]) => (
          <Slider key={key} label={label} value={whatif[key] ?? 1} min={min} max={max} log unit="×" onInput={value => changeWhatIf({ [key]: value })}
            onReset={whatif[key] === undefined ? undefined : () => changeWhatIf({ [key]: undefined })} />
        ))}
      </div>
      <label class="field machine-field">Machine</label>
      <Combobox label="What-if machine" value={machineName(whatif)} onChange={id => changeWhatIf({ machine: id ? machineOf(id) : undefined })}
        options={[{ id: '', name: 'the same machine' }, ...machineOptions()]} />
      <Outcome />
      {Object.keys(whatif).length > 0 && <button type="button" onClick={() => change({ whatif: undefined })}>Back to today</button>}
      <OverheadPanel />
    </div>
  );
}

function machineName({ machine }: WhatIf) {
  if (machine === undefined) return 'the same machine';
  return typeof machine === 'string' ? (machines.value.find(({ id }) => id === machine)?.name ?? machine) : (machine as Machine).name || (machine as Machine).id;
}

function Outcome() {
  const json = panelFrame.value?.json;
  const total = json?.all.whatif;
  if (!json || !total) return <p class="muted">Choose a change: the chart shows where every operation would move, and the range of the speed-up stands here.</p>;
  const row = detail.value?.row;
  return (
    <dl class="outcome" aria-live="polite">
      <dt>All operations</dt>
      <dd><strong>{range(total.speedup_pessimistic, total.speedup_optimistic)}</strong></dd>
      <dd class="muted">{total.time_pessimistic_s === null ? `bound ${seconds(total.predicted_time_s)}, was ${seconds(json.all.predicted_time_s)}`
        : `${seconds(total.time_optimistic_s)} to ${seconds(total.time_pessimistic_s)}, was ${seconds(json.all.time_s)}`}</dd>
      {row && (
        <>
          <dt>{row.name}</dt>
          <dd><strong>{row.speedup_optimistic === null ? NONE : range(row.speedup_pessimistic, row.speedup_optimistic)}</strong></dd>
        </>
      )}
      <dd class="muted note">The low end keeps what is lost above the bound, the high end keeps today's efficiency.</dd>
    </dl>
  );
}
