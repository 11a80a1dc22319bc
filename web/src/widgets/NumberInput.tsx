// A number field. It refuses values out of range with a message; the last valid value stays. A value that was
// only part of refused text does not: typing "1e300" must not leave "1e3". After blur, the message names the restored value until the next input, key press, click or change of tab.
import { computed } from '@preact/signals';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { sourcesOpened, viewState } from '../core/view';
import { grouped } from '../format';

interface Props {
  label?: string; // where no <label> names it
  value: number | undefined;
  least?: number;
  most?: number;
  whole?: boolean;
  unit?: string;
  why?: string | undefined; // the reason for the range, if another field limits it
  optional?: boolean; // may be empty: undefined
  fault?: string | undefined; // the core's error for the typed value; leaving the field restores the previous value
  held?: boolean; // a refused text stays when the field is left: its form does not accept it
  placeholder?: string;
  list?: string; // the id of a <datalist> of usual values
  onInput: (value: number | undefined) => void;
  onReset?: (() => void) | undefined; // present if the value is not its default
}

const tab = computed(() => viewState.value.tab);
/** What may stand behind a whole number: of tokens, 8k is 8192. */
const SUFFIXES: Record<string, number> = { k: 1024, m: 1024 ** 2 };
const ENDING = ['input', 'keydown', 'pointerdown'];

export const MOST_COUNTED = 1e9; // the core's limit of sizes and counts

/** The field, and the error below it. */
export function NumberInput({
  label,
  value,
  least = 1,
  most = MOST_COUNTED,
  whole = false,
  unit = '',
  why,
  optional = false,
  fault,
  held = false,
  placeholder,
  list,
  onInput,
  onReset,
}: Props) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  // begun: too small, but more digits may follow, until Enter; restored: the last valid value replaced a text that was not accepted
  const [state, setState] = useState<'good' | 'begun' | 'refused' | 'not digits' | 'restored'>('good');
  const faulty = fault !== undefined && typed !== null;
  const refused = faulty || state === 'begun' || state === 'refused' || state === 'not digits';
  const messageShown = faulty || (state !== 'good' && state !== 'begun');
  const last = useRef({ text: '', before: value, wasDefault: !onReset }); // the last accepted text, and the value before typing began
  const [opening, shownTab] = [sourcesOpened.value, tab.value];
  useEffect(() => {
    // The text was typed for the previous file or field.
    last.current.text = '';
    setTyped(null);
    setState('good');
  }, [opening, label]);
  const endRestored = () => setState(now => (now === 'restored' ? 'good' : now));
  useEffect(endRestored, [value, shownTab]);
  useLayoutEffect(() => {
    if (state !== 'restored') return;
    for (const type of ENDING) addEventListener(type, endRestored);
    return () => {
      for (const type of ENDING) removeEventListener(type, endRestored);
    };
  }, [state]);
  const restore = () => {
    last.current.text = ''; // once: the next refused key finds it restored
    if (last.current.wasDefault && onReset) onReset();
    else onInput(last.current.before);
  };
  const type = ({ currentTarget: field }: { currentTarget: HTMLInputElement }) => {
    const number = field.valueAsNumber;
    const empty = field.value === '' && !field.validity.badInput;
    const good = empty ? optional : number >= least && number <= most && (!whole || Number.isInteger(number));
    setTyped(field.value);
    setState(good || empty ? 'good' : whole && number > 0 && number < least ? 'begun' : 'refused');
    if (!good) {
      // A part of it that was taken while it was typed counts no longer.
      if (!empty && last.current.text !== '' && field.value.startsWith(last.current.text)) restore();
      return;
    }
    const goesOn = last.current.text !== '' && field.value.startsWith(last.current.text);
    last.current = { ...(goesOn ? last.current : { before: value, wasDefault: !onReset }), text: field.value };
    onInput(empty ? undefined : number);
  };
  // The browser drops letters: of "8k" it would leave 8.
  const typeLetter = (event: InputEvent) => {
    if (!/[^-+\d.,e\s]/i.test(event.data ?? '')) return;
    event.preventDefault();
    const field = event.currentTarget as HTMLInputElement;
    const times = SUFFIXES[event.data!.toLowerCase()];
    if (whole && times && field.valueAsNumber > 0) {
      field.value = String(field.valueAsNumber * times);
      field.dispatchEvent(new Event('input', { bubbles: true }));
      return;
    }
    setState('not digits');
    if (last.current.text !== '') restore();
  };
  const leave = () => {
    if (held && state === 'not digits') setState('good'); // the letters were not taken: nothing of them is left
    if (held && refused) return;
    if (faulty) restore();
    last.current.text = '';
    setTyped(null);
    setState(refused && !faulty ? 'restored' : 'good');
  };
  return (
    <span class="refusing" style={{ '--digits': String(value ?? '').length }}>
      <input
        type="number"
        aria-label={label}
        aria-invalid={refused}
        aria-describedby={refused && messageShown ? id : undefined}
        value={typed ?? value ?? ''}
        step="any"
        placeholder={placeholder}
        list={list}
        onBeforeInput={typeLetter}
        onInput={type}
        onKeyDown={event => event.key === 'Enter' && setState(now => (now === 'begun' ? 'refused' : now))}
        onBlur={leave}
      />
      {messageShown && (
        <span class="refused" role="alert" id={id}>
          {faulty ? (
            fault
          ) : (
            <>
              {state === 'not digits' && 'Digits only. '}
              {state === 'restored' && (value === undefined ? 'Not accepted. ' : `Restored ${shown(value)}. `)}Enter{' '}
              {whole ? 'a whole number' : 'a number'} from {shown(least)} to {shown(most)}
              {/^[%×]$/.test(unit) ? unit : unit && ` ${unit}`}
              {optional && ', or leave it empty'}
              {why && `: ${why}`}
            </>
          )}
        </span>
      )}
    </span>
  );
}

const shown = (value: number) => (Math.abs(value) >= 1 || value === 0 ? grouped(value) : String(value));
