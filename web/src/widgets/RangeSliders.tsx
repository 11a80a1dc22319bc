// The ends of a sweep, and whether its steps are factors.
import { MOST_COUNTED } from './NumberInput';
import { Slider } from './Slider';

interface AxisRange {
  from: number;
  to: number;
  log: boolean;
}

interface Props extends AxisRange {
  name?: string; // of the swept dimension
  snap?: (value: number) => number;
  onChange: (range: AxisRange) => void;
}

export function RangeSliders({ name = '', from, to, log, snap, onChange }: Props) {
  const shared = {
    max: 1 << 20,
    most: MOST_COUNTED,
    whole: true,
    log: true,
    unit: '',
    digits: 9,
    ...(snap && { snap }),
  };
  return (
    <>
      <Slider
        label={`${name} from`.trim()}
        value={from}
        min={1}
        {...shared}
        onInput={value => onChange({ from: Math.max(1, Math.min(Math.round(value), to - 1)), to, log })}
      />
      <Slider
        label={`${name} to`.trim()}
        value={to}
        min={2}
        {...shared}
        onInput={value => onChange({ from, to: Math.max(Math.round(value), from + 1), log })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={log}
          onChange={event => onChange({ from, to, log: event.currentTarget.checked })}
        />
        log
      </label>
    </>
  );
}
