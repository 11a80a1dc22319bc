// Inputs of settings. Names, units, ranges and tooltips come from the core's table.
import { asOptions, type Entry } from '../core/catalogue';
import type { KeyOf } from '../core/settings';
import { SETTINGS } from '../protocol';
import { Select } from './Select';
import { Slider } from './Slider';

interface NumberProps {
  of: KeyOf<'number' | 'rates by format' | 'rates by name'>;
  value: number;
  was?: number | undefined;
  label?: string;
  unit?: string;
  title?: string | undefined;
  onInput: (value: number) => void;
  onReset?: (() => void) | undefined;
}

export function NumberSetting({ of, title, onInput, ...props }: NumberProps) {
  const { label, unit, least, most, whole, from, to, step, sentence } = SETTINGS[of];
  return (
    <Slider
      label={label}
      unit={unit}
      title={title ?? sentence}
      min={from}
      max={to}
      {...(step ? { step } : { log: true })}
      least={least === Number.MIN_VALUE ? from / BEYOND : least}
      most={most === Number.MAX_VALUE ? to * BEYOND : most}
      whole={whole}
      digits={whole ? 9 : 3}
      onInput={value => onInput(whole ? Math.round(value) : value)}
      {...props}
    />
  );
}

/// Without a limit of the core, values up to this many times the slider's range can be typed.
const BEYOND = 1000;

interface ChoiceProps {
  of: KeyOf<'format' | 'tile' | 'stack'>;
  value: string | undefined;
  options: Entry[];
  unsupported?: string[]; // ids
  onChange: (value: string) => void;
}

/// A setting with named options; "": not set.
export function ChoiceSetting({ of, value, options, unsupported, onChange }: ChoiceProps) {
  const { label, unset, sentence } = SETTINGS[of];
  return (
    <label class="field" title={sentence}>
      {label}
      <Select
        value={value ?? ''}
        options={[['', of.startsWith('whatif.') ? 'unchanged' : unset], ...asOptions(options, unsupported)]}
        onChange={onChange}
      />
    </label>
  );
}
