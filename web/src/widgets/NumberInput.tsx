// A number field. It refuses values out of range with a message; left with one, it has the value from before the typing again: the "1e3"
// on the way to "1e300" was not meant.
import { useId, useRef, useState } from 'preact/hooks';
import { grouped } from '../format';

interface Props {
  label?: string; // where no <label> names it
  value: number | undefined;
  least?: number;
  most?: number;
  whole?: boolean;
  unit?: string;
  optional?: boolean; // may be empty: undefined
  placeholder?: string;
  onInput: (value: number | undefined) => void;
}

export const MOST_COUNTED = 1e9; // the core's limit of sizes and counts

/** The field, and the error below it. */
export function NumberInput({
  label,
  value,
  least = 1,
  most = MOST_COUNTED,
  whole = false,
  unit = '',
  optional = false,
  placeholder,
  onInput,
}: Props) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const [refused, setRefused] = useState(false);
  const before = useRef(value);
  const type = ({ currentTarget: field }: { currentTarget: HTMLInputElement }) => {
    const number = whole ? Math.round(field.valueAsNumber) : field.valueAsNumber;
    const empty = field.value === '' && !field.validity.badInput;
    const good = empty ? optional : number >= least && number <= most;
    setTyped(field.value);
    setRefused(!good && !empty);
    if (good) onInput(empty ? undefined : number);
  };
  const leave = () => {
    if (refused) onInput(before.current);
    setTyped(null);
    setRefused(false);
  };
  return (
    <span class="refusing">
      <input
        type="number"
        aria-label={label}
        aria-invalid={refused}
        aria-describedby={refused ? id : undefined}
        value={typed ?? value ?? ''}
        step="any"
        placeholder={placeholder}
        onFocus={() => void (before.current = value)}
        onInput={type}
        onBlur={leave}
      />
      {refused && (
        <span class="refused" role="alert" id={id}>
          Enter {whole ? 'a whole number' : 'a number'} from {bound(least)} to {bound(most)}
          {/^[%×]$/.test(unit) ? unit : unit && ` ${unit}`}
        </span>
      )}
    </span>
  );
}

const bound = (value: number) => (Math.abs(value) >= 1 || value === 0 ? grouped(value) : String(value));
