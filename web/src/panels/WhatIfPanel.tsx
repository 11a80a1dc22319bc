// Another format, batch or machine against today: a range, never one number.
import { NONE, range, seconds } from '../format';
import { formats, machines } from '../state/catalogue';
import { detail, panelFrame, type Machine } from '../state/engine';
import { machineOf, machineOptions } from '../state/machines';
import { change, changeWhatIf, DEFAULTS, settings, whatifBatch, type WhatIf } from '../state/settings';
import { SETTINGS } from '../protocol';
import { Combobox } from '../widgets/Combobox';
import { OverheadPanel } from './OverheadPanel';
import { ChoiceSetting, NumberSetting } from './SettingInput';

const ROLES = ['weight', 'activation', 'output', 'kv'] as const;
const SCALES = ['batch_scale', 'peak_scale', 'bandwidth_scale'] as const;

export function WhatIfPanel() {
  const whatif = settings.value.whatif ?? {};
  return (
    <div class="whatif-panel">
      {ROLES.map(role => (
        <ChoiceSetting
          key={role}
          of={`whatif.${role}`}
          value={whatif[role]}
          options={formats.value}
          onChange={format => changeWhatIf({ [role]: format })}
        />
      ))}
      <div class="sliders">
        {SCALES.map(scale => (
          <NumberSetting
            key={scale}
            of={`whatif.${scale}`}
            value={whatif[scale] ?? DEFAULTS[`whatif.${scale}`]}
            onInput={value => changeWhatIf({ [scale]: value })}
            onReset={whatif[scale] === undefined ? undefined : () => changeWhatIf({ [scale]: undefined })}
          />
        ))}
      </div>
      <label class="field machine-field">Machine</label>
      <Combobox
        label="What-if machine"
        value={machineName(whatif)}
        onChange={id => changeWhatIf({ machine: id ? machineOf(id) : undefined })}
        options={[{ id: '', name: SETTINGS['whatif.machine'].unset }, ...machineOptions()]}
      />
      <Outcome />
      {Object.keys(whatif).length > 0 && (
        <button type="button" onClick={() => change({ whatif: undefined })}>
          Back to today
        </button>
      )}
      <OverheadPanel />
    </div>
  );
}

function machineName({ machine }: WhatIf) {
  if (machine === undefined) return SETTINGS['whatif.machine'].unset;
  return typeof machine === 'string'
    ? (machines.value.find(({ id }) => id === machine)?.name ?? machine)
    : (machine as Machine).name || (machine as Machine).id;
}

function Outcome() {
  const json = panelFrame.value?.json;
  const total = json?.all.whatif;
  if (!json || !total)
    return (
      <p class="muted">
        Choose a change: the chart shows where every operation would move, and the range of the speed-up stands here.
      </p>
    );
  const row = detail.value?.row;
  return (
    <dl class="outcome" aria-live="polite">
      <dt>All operations{whatifBatch()}</dt>
      <dd>
        <strong>{range(total.speedup_pessimistic, total.speedup_optimistic)}</strong>
      </dd>
      <dd class="muted">
        {total.time_pessimistic_s === null
          ? `bound ${seconds(total.predicted_time_s)}, was ${seconds(json.all.predicted_time_s)}`
          : `${seconds(total.time_optimistic_s)} to ${seconds(total.time_pessimistic_s)}, was ${seconds(json.all.time_s)}`}
      </dd>
      {row && (
        <>
          <dt>
            {row.name}
            {whatifBatch()}
          </dt>
          <dd>
            <strong>
              {row.speedup_optimistic === null ? NONE : range(row.speedup_pessimistic, row.speedup_optimistic)}
            </strong>
          </dd>
        </>
      )}
      <dd class="muted note">The low end keeps what is lost above the bound, the high end keeps today's efficiency.</dd>
    </dl>
  );
}
