// A quantity as one line: name, slider, number with its unit. Recomputes as it is dragged or typed.
import { useId } from 'preact/hooks';
import { IconButton } from './IconButton';
import { NumberInput } from './NumberInput';

interface Props {
  label: string;
  title?: string | undefined;
  value: number;
  was?: number | undefined; // the value before, shown beside it
  min: number; // of the slider
  max: number;
  least?: number; // of what may be typed; absent: the slider's
  most?: number;
  whole?: boolean;
  why?: string | undefined; // the reason for the range, if another field limits it
  fault?: string | undefined; // see NumberInput
  unit: string;
  log?: boolean;
  step?: number;
  digits?: number;
  onInput: (value: number) => void;
  snap?: (value: number) => number; // where the slider stops; what is typed stays as it is
  onReset?: (() => void) | undefined; // shown where the value is not its default
  resetLabel?: string;
  resetTitle?: string;
  resetIcon?: 'reset' | 'close';
}

/** From 1000 up the whole part keeps every digit, as in other fields: 2039 GB/s, not 2040. */
const shown = (value: number, digits: number) =>
  value >= 1000 ? Math.round(value) : Number(value.toPrecision(digits));

const STEPS = 1000;
const ARROWS: Record<string, number> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };

/** A slider with a number field beside it. */
export function Slider({
  label,
  title,
  value,
  was,
  min,
  max,
  least = min,
  most = max,
  whole = false,
  why,
  fault,
  unit,
  log = false,
  step = 1,
  digits = 3,
  snap,
  onInput,
  onReset,
  resetLabel = `Reset ${label}`,
  resetTitle = 'Back to the preset',
  resetIcon = 'reset',
}: Props) {
  const id = useId();
  const rounded = shown(value, digits);
  const position = log ? (STEPS * Math.log(Math.max(value, min) / min)) / Math.log(max / min) : value;
  const slide = (event: { currentTarget: HTMLInputElement }) => {
    const at = event.currentTarget.valueAsNumber;
    const value = log ? Number((min * (max / min) ** (at / STEPS)).toPrecision(digits)) : at;
    onInput(snap ? snap(value) : value);
  };
  // A step of the scale is less than 1 where whole numbers are small: an arrow key would stay at the same one.
  const press = (event: KeyboardEvent) => {
    const by = ARROWS[event.key];
    if (!log || !whole || !by) return;
    event.preventDefault();
    const step = Math.max(1, Math.round(value * ((max / min) ** (1 / STEPS) - 1)));
    onInput(Math.min(max, Math.max(min, Math.round(value) + by * step)));
  };
  return (
    <div class={unit ? 'slider' : 'slider bare'} style={{ '--digits': String(rounded).length }} title={title}>
      <label for={id}>
        {label}
        {was !== undefined && was !== value && <span class="was">was {shown(was, digits)}</span>}
      </label>
      <input
        type="range"
        id={id}
        aria-label={label}
        min={log ? 0 : min}
        max={log ? STEPS : max}
        step={log ? 1 : step}
        value={position}
        aria-valuetext={`${rounded} ${unit}`}
        onInput={slide}
        onKeyDown={press}
      />
      <NumberInput
        label={`${label}, ${unit || 'number'}`}
        value={rounded}
        least={least}
        most={most}
        whole={whole}
        unit={unit}
        why={why}
        fault={fault}
        onInput={typed => typed !== undefined && onInput(typed)}
        onReset={onReset}
      />
      {unit && <span class="unit">{unit}</span>}
      {onReset && (
        <IconButton icon={resetIcon} label={resetLabel} hint={resetTitle} class="ghost small" onClick={onReset} />
      )}
    </div>
  );
}
