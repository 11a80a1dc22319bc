// A quantity as one line: name, slider, number with its unit. Recomputes as it is dragged or typed.
import { useId, useState } from 'preact/hooks';
import { IconButton } from './IconButton';

interface Props {
  label: string;
  title?: string | undefined;
  value: number;
  min: number;
  max: number;
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

const STEPS = 1000;

/** A slider with a number field beside it. */
export function Slider({
  label,
  title,
  value,
  min,
  max,
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
  const [typed, setTyped] = useState<string | null>(null);
  const rounded = Number(value.toPrecision(digits));
  const position = log ? (STEPS * Math.log(value / min)) / Math.log(max / min) : value;
  const slide = (event: { currentTarget: HTMLInputElement }) => {
    const at = event.currentTarget.valueAsNumber;
    const value = log ? Number((min * (max / min) ** (at / STEPS)).toPrecision(digits)) : at;
    onInput(snap ? snap(value) : value);
  };
  const type = (event: { currentTarget: HTMLInputElement }) => {
    setTyped(event.currentTarget.value);
    const number = event.currentTarget.valueAsNumber;
    if (number > 0 && Number.isFinite(number)) onInput(number);
  };
  return (
    <div class="slider" title={title}>
      <label for={id}>{label}</label>
      <input
        type="range"
        id={id}
        min={log ? 0 : min}
        max={log ? STEPS : max}
        step={log ? 1 : step}
        value={position}
        aria-valuetext={`${rounded} ${unit}`}
        onInput={slide}
      />
      <input
        type="number"
        aria-label={`${label}, ${unit || 'factor'}`}
        value={typed ?? rounded}
        step="any"
        onInput={type}
        onBlur={() => setTyped(null)}
      />
      <span class="unit">{unit}</span>
      {onReset && (
        <IconButton icon={resetIcon} label={resetLabel} hint={resetTitle} class="ghost small" onClick={onReset} />
      )}
    </div>
  );
}
