// The Change panel: shape, batch and formats, the machine's rates, each once. For a file they are the what-if, whose result is a range.
import type { ComponentChildren } from 'preact';
import { ask } from '../core/ask';
import { useEffect, useState } from 'preact/hooks';
import { count, isRange, lowToHigh, NONE, range, seconds, speedups } from '../format';
import { asOptions, formatName, formats } from '../core/catalogue';
import { isComputing, ready } from '../core/computing';
import { detail, machine, panelFrame, timesOnly } from '../core/engine';
import { source } from '../sources/opened';
import { changeFolded } from '../core/layout';
import { machineName, machineOf, machineOptions } from '../machine/machine_options';
import {
  change,
  changeWhatIf,
  DEFAULTS,
  inAllOperands,
  OPERANDS,
  settings,
  rangeInForce,
  whatifBatch,
  whatifText,
  type WhatIf,
  WITHOUT_RATES,
} from '../core/settings';
import { sheet } from '../core/sheet';
import { sourcesOpened } from '../core/view';
import { SETTINGS } from '../protocol';
import { Combobox } from '../widgets/Combobox';
import { IconButton } from '../widgets/IconButton';
import { ModelSource } from '../model/ModelSource';
import { named } from '../widgets/names';
import { late } from '../widgets/late';
import { hasDimensions, network } from '../network/network';
import { accuraciesOf } from '../inspector/accuracy';
import { rowName } from '../operator/operator';
import { OperatorSource } from '../operator/OperatorSource';
import { changeOperands, shownOperands } from './operands';
import { OverheadPanel } from './OverheadPanel';
import { Rates, WhatIfRates } from './Rates';
import { Select } from '../widgets/Select';
import { ChoiceSetting, NumberSetting } from '../widgets/SettingInput';

const CLEARED = {
  whatif: undefined,
  ...WITHOUT_RATES,
  overhead: undefined,
  stack: undefined,
  estimate: undefined,
};

const NetworkSource = late('NetworkSource');
const OffloadSource = late('OffloadSource');

/** The left panel. */
export function ChangePanel() {
  const from = source.value;
  useEffect(() => document.querySelector('.left')?.scrollTo(0, 0), [sourcesOpened.value]);
  const built = from && 'built' in from ? from.built : null;
  if (changeFolded.value)
    return (
      <>
        <Bar />
        {built === 'model' && ( // what asks about the model goes on
          <div hidden>
            <ModelSource />
            <OffloadSource />
          </div>
        )}
      </>
    );
  const now = machine.value;
  if (!built && timesOnly.value)
    return (
      <>
        <Bar />
        <p class="hint">Only times are known: without the work behind them, no change can be predicted.</p>
      </>
    );
  return (
    <>
      <Bar />
      {built === 'operator' && (
        <Group title="Operator">
          <OperatorSource />
        </Group>
      )}
      {built === 'model' && (
        <Group title="Language model">
          <ModelSource />
          <OffloadSource />
        </Group>
      )}
      {network.value && (
        <Group title="Network">
          <NetworkSource />
        </Group>
      )}
      {!built && <WhatIfFormats />}
      {now && (
        <Group title={built ? machineName(now) : 'Machine'}>
          {built && <Rates machine={now} />}
          <Instead />
          {!built && <WhatIfRates machine={now} />}
        </Group>
      )}
      <Outcome />
      <section aria-label="Estimate">
        <OverheadPanel />
      </section>
    </>
  );
}

function Bar() {
  const folded = changeFolded.value;
  const changed = Object.keys(CLEARED).some(key => key in settings.value);
  return (
    <header>
      {!folded && (
        <>
          <h2>Change</h2>
          <span class="fill" />
          {changed && (
            <button type="button" class="link" onClick={() => change(CLEARED)}>
              Clear
            </button>
          )}
        </>
      )}
      <IconButton
        icon={folded ? 'fold' : 'unfold'}
        label={folded ? 'Unfold the panel' : 'Fold the panel'}
        class="ghost fold"
        aria-expanded={!folded}
        onClick={() => (changeFolded.value = !folded)}
      />
      <IconButton icon="close" label="Close the panel" class="ghost sheet-close" onClick={() => (sheet.value = null)} />
    </header>
  );
}

const Group = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section aria-label={title}>
    <h3>{title}</h3>
    {children}
  </section>
);

/** Batch and formats of a file; a network with lengths of its own has its batch among them. */
function WhatIfFormats() {
  const whatif = settings.value.whatif ?? {};
  const unsupported = useUnsupported();
  return (
    <>
      {!hasDimensions.value && (
        <Group title="Batch, relative to the file">
          <Scale of="batch_scale" />
        </Group>
      )}
      <Group title="Formats">
        <AllOperands unsupported={unsupported.activations} />
        {shownOperands().map(role => (
          <ChoiceSetting
            key={role}
            of={`whatif.${role}`}
            value={whatif[role]}
            options={formats.value}
            unsupported={unsupported[role === 'weight' ? 'weights' : 'activations']}
            onChange={format => changeOperands({ [role]: format })}
          />
        ))}
      </Group>
    </>
  );
}

/** The ids of formats that the machine neither computes nor dequantises. */
interface Unsupported {
  weights: string[];
  activations: string[];
}

/** Empty until the core has answered, which the page does not wait for. */
function useUnsupported() {
  const [unsupported, setUnsupported] = useState<Unsupported>({ weights: [], activations: [] });
  const { machine: chosen, whatif } = settings.value;
  const follows = JSON.stringify([machine.value?.id, chosen, whatif?.machine]); // another file may bring another machine
  const isReady = ready.value;
  useEffect(() => {
    if (!isReady) return;
    let stale = false;
    ask<Unsupported>('unsupported_formats', {}).then(
      reply => void (stale || 'error' in reply || setUnsupported(reply.json)),
      () => {}, // the lists stay without the heading
    );
    return () => void (stale = true);
  }, [isReady, follows]);
  return unsupported;
}

const MIXED = 'mixed';

/** One format for all operands, in one step; formats for weights alone are not offered. */
function AllOperands({ unsupported }: { unsupported: string[] }) {
  const whatif = settings.value.whatif ?? {};
  const chosen = shownOperands().map(role => whatif[role] ?? '');
  const value = chosen.every(format => format === chosen[0]) ? chosen[0]! : MIXED;
  return (
    <label class="field" title="Weights, activations, output and KV cache together">
      All operands
      <Select
        value={value}
        options={[
          ['', 'unchanged'],
          ...(value === MIXED ? [[MIXED, 'as below'] as const] : []),
          ...asOptions(
            formats.value.filter(({ weights_only }) => !weights_only),
            unsupported,
          ),
        ]}
        onChange={format => format !== MIXED && changeOperands(inAllOperands(format))}
      />
    </label>
  );
}

function Scale({ of: scale }: { of: 'batch_scale' | 'peak_scale' | 'bandwidth_scale' }) {
  const value = settings.value.whatif?.[scale];
  return (
    <NumberSetting
      of={`whatif.${scale}`}
      value={value ?? DEFAULTS[`whatif.${scale}`]}
      onInput={next => changeWhatIf({ [scale]: next })}
      onReset={value === undefined ? undefined : () => changeWhatIf({ [scale]: undefined })}
    />
  );
}

/** Another machine, as a what-if. */
function Instead() {
  const { machine: chosen } = settings.value.whatif ?? {};
  return (
    <div class="field">
      <span>What if on</span>
      <Combobox
        label="What-if machine"
        value={chosen === undefined ? SETTINGS['whatif.machine'].unset : machineName(chosen)}
        onChange={id => changeWhatIf({ machine: id ? machineOf(id) : undefined })}
        options={[{ id: '', name: SETTINGS['whatif.machine'].unset }, ...machineOptions()]}
      />
    </div>
  );
}

/** Changes without a control in this panel: from a suggestion, the palette or an older link. */
function others(whatif: WhatIf, built: boolean): string[] {
  const { peak_scale, bandwidth_scale, batch_scale } = whatif;
  return [
    ...(built
      ? OPERANDS.flatMap(role =>
          whatif[role] ? [`${SETTINGS[`whatif.${role}`].label} ${formatName(whatif[role])}`] : [],
        )
      : []),
    ...(built && batch_scale ? [`batch ${range(batch_scale, batch_scale)}`] : []),
    ...(peak_scale ? [`peaks ${range(peak_scale, peak_scale)}`] : []),
    ...(bandwidth_scale ? [`bandwidth ${range(bandwidth_scale, bandwidth_scale)}`] : []),
  ];
}

/** How accurate the what-if's formats are. */
function Accuracy() {
  const [text] = accuraciesOf([settings.value.whatif ?? {}], '');
  return text ? <dd class="muted note">Accuracy: {text}</dd> : null;
}

const RangeNote = () => <dd class="muted note">{rangeInForce()}</dd>;

/** The speed-up of the what-if. Only the first range shown gets an explanation. */
function Outcome() {
  const json = panelFrame.value?.json;
  const total = json?.all.whatif;
  if (!json || !total) return null;
  const { low, high, today_s, least_s, most_s, per_item, without_rate } = json.whatif_outcome;
  const row = detail.value?.row;
  const from = source.value;
  const inTotal = isRange(low, high);
  const also = others(settings.value.whatif ?? {}, from !== null && 'built' in from);
  return (
    <section aria-label="Outcome">
      <dl class="outcome" aria-live="polite" aria-busy={isComputing()}>
        {also.length > 0 && <dd class="muted note">With {also.join(', ')}</dd>}
        <dt>
          {json.shown.ops === json.all.ops
            ? 'All operations'
            : `${count(json.shown.ops)} of ${count(json.all.ops)} operations`}
          {whatifBatch()}
        </dt>
        <dd>
          <strong>{whatifText(json.whatif_outcome)}</strong>
          {without_rate && `, with no known rate for ${formatName(without_rate)}`}
          {per_item && ' per item'}
        </dd>
        {inTotal && <RangeNote />}
        {today_s !== null && (
          <dd class="muted note">
            {lowToHigh(seconds(least_s), seconds(most_s))}
            {per_item && ' per item'}, was {seconds(today_s)}
            {total.time_pessimistic_s === null && ' (estimates)'}
          </dd>
        )}
        <Accuracy />
        {row && (
          <>
            <dt>{named(rowName(row), whatifBatch())}</dt>
            <dd>
              <strong>{row.speedup_high === null ? NONE : speedups(row.speedup_low, row.speedup_high)}</strong>
              {per_item && ' per item'}
            </dd>
            {!inTotal && isRange(row.speedup_low, row.speedup_high) && <RangeNote />}
          </>
        )}
      </dl>
    </section>
  );
}
