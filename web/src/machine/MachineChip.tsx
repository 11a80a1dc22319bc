// The machine's chip: chooses another machine; its menu has the sources of the figures, the editor, units and thresholds.
import { useState } from 'preact/hooks';
import { machines } from '../core/catalogue';
import { machine, panelFrame } from '../core/engine';
import { narrow } from '../core/layout';
import { opened } from '../sources/opened';
import { ranElsewhere } from '../plot/bounds';
import { machineName } from './machine_options';
import { change, chooseMachine, DEFAULTS, settings } from '../core/settings';
import { Choice } from '../widgets/Choice';
import { Icon } from '../widgets/Icon';
import { openMeasuring } from '../measure/open';
import { Menu } from '../widgets/Menu';
import { MachineFigures } from './MachineFigures';
import { MachinePicker } from './MachinePicker';
import { late } from '../widgets/late';
import type { EditorProps } from './MachineEditor';
import { NumberSetting } from '../widgets/SettingInput';

const MachineEditor = late<EditorProps>('MachineEditor');
const THRESHOLDS = ['bound_thresh', 'mem_thresh', 'comp_thresh', 'advice_thresh'] as const;

const ASSUMED = 'No machine was named or chosen; this one is assumed. Choose another';
const GUESSED = 'Guessed from words in the file. Choose another machine if it is wrong';
const REFUTED = 'The file names this machine, but the measured rates exceed its roof. Choose another';

/** A phone has room for the part of a name that tells machines apart. */
function withoutVendor(name: string) {
  const vendor = machines.value.find(machine => machine.name === name)?.vendor;
  return vendor && name.startsWith(`${vendor} `) ? name.slice(vendor.length + 1) : name;
}

/** The chip of the top bar. */
export function MachineChip() {
  const now = machine.value;
  const [shown, show] = useState<'figures' | 'editor' | null>(null);
  if (!now) return null;
  const basis = panelFrame.value?.json.machine_basis;
  const assumed = basis === 'assumed';
  const guessed = basis === 'guessed';
  const refuted = ranElsewhere();
  return (
    <div class={assumed || guessed ? 'machine-chip assumed' : 'machine-chip'}>
      <MachinePicker label="Machine" value={narrow.value ? withoutVendor(machineName(now)) : machineName(now)} />
      {assumed && <UncertainBadge text="assumed" title={ASSUMED} />}
      {guessed && !refuted && <UncertainBadge text="guessed" title={GUESSED} />}
      {guessed && refuted && <UncertainBadge text="unlikely" title={REFUTED} refuted />}
      <Menu class="machine-menu" label={<Icon name="edit" />} title="Machine settings">
        {close => (
          <>
            <button type="button" class="item" onClick={() => (close(), show('figures'))}>
              Sources of the figures
            </button>
            <button type="button" class="item" onClick={() => (close(), show('editor'))}>
              Edit machine…
            </button>
            <button type="button" class="item" onClick={() => (close(), openMeasuring())}>
              Measure this machine…
            </button>
            {settings.value.machine !== undefined && (
              <button type="button" class="item" onClick={() => (close(), chooseMachine(undefined))}>
                Reset the machine
              </button>
            )}
            <div class="field">
              Units
              <Choice
                label="Units"
                value={settings.value.ops_per_mac ?? DEFAULTS.ops_per_mac}
                options={[
                  [2, 'FLOP'],
                  [1, 'MAC'],
                ]}
                onChange={ops_per_mac => change({ ops_per_mac })}
              />
            </div>
            <div class="sliders thresholds">
              {THRESHOLDS.map(key => (
                <NumberSetting
                  key={key}
                  of={key}
                  value={settings.value[key] ?? DEFAULTS[key]}
                  onInput={value => change({ [key]: value })}
                />
              ))}
            </div>
            <Device />
          </>
        )}
      </Menu>
      {shown === 'figures' && <MachineFigures machine={now} onClose={() => show(null)} />}
      {shown === 'editor' && <MachineEditor machine={now} onClose={() => show(null)} />}
    </div>
  );
}

/** Says why the machine may be wrong; a click opens the list of machines. */
function UncertainBadge({ text, title, refuted = false }: { text: string; title: string; refuted?: boolean }) {
  const openPicker = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    const field = currentTarget.parentElement!.querySelector('input')!;
    field.focus();
    field.click();
  };
  return (
    <button
      type="button"
      class={refuted ? 'badge assumed refuted' : 'badge assumed'}
      title={title}
      onClick={openPicker}
    >
      {text}
    </button>
  );
}

/** The device stated in the profile, whichever machine is chosen. */
function Device() {
  const { device = [] } = opened.value ?? {};
  if (device.length === 0) return null;
  return (
    <section aria-labelledby="device-title">
      <h3 id="device-title">Device of the profile</h3>
      <dl class="facts device">
        {device.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
