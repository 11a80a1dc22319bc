// The estimate's terms beyond the bound, which can be changed. The diagnosis shows what each adds to the selected operation.
import { useEffect, useState } from 'preact/hooks';
import { formats, stacks } from '../core/catalogue';
import { machine } from '../core/engine';
import { figureValue, type Figure } from '../core/machine_document';
import { change, changeIn, settings, type KeyOf, type Overhead } from '../core/settings';
import { useTermsInForce } from '../core/terms_in_force';
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
