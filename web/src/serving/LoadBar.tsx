// What is asked of a deployment: the load, which is the model's plan unless it is changed here for the search alone, and the limits.
import { count } from '../format';
import { viewState } from '../core/view';
import { contextOf, type ModelRequest } from '../model/model_request';
import { NumberInput } from '../widgets/NumberInput';
import { Select } from '../widgets/Select';
import { changeServing } from './frontier';
import { LOAD_KEYS, servingLoad } from './load';

const BASES = [
  ['burst', 'if all users begin at once'],
  ['steady', 'in steady state'],
] as const;
const percentOf = (fraction: number) => Number((fraction * 100).toPrecision(4));

export function LoadBar({ request }: { request: ModelRequest }) {
  const view = viewState.value.serving ?? {};
  const { prompt, generate, users } = servingLoad(request);
  const { phase = 'decode', batch = 1 } = request;
  const context = contextOf(request);
  const changed = LOAD_KEYS.some(key => view[key] !== undefined);
  return (
    <div class="sweep-bar serving-bar" role="group" aria-label="Requests">
      <label class="limit-field" title="Tokens of the longest prompt">
        Prompt <NumberInput label="Prompt, tokens" value={prompt} whole onInput={n => changeServing({ prompt: n })} />
      </label>
      <label class="limit-field" title="Tokens of the longest answer">
        Answer{' '}
        <NumberInput label="Answer, tokens" value={generate} whole onInput={n => changeServing({ generate: n })} />
      </label>
      <label class="limit-field" title="Each has one request at a time. Empty: any number is searched">
        Users{' '}
        <NumberInput
          label="Users"
          value={users || undefined}
          whole
          optional
          placeholder="any"
          onInput={n => changeServing({ users: n ?? 0 })}
        />
      </label>
      <Limit
        label="Time per token"
        unit="ms"
        value={view.tpotMax}
        per={1e3}
        onInput={s => changeServing({ tpotMax: s })}
      />
      <Limit label="First token" unit="s" value={view.ttftMax} per={1} onInput={s => changeServing({ ttftMax: s })} />
      {changed ? (
        <button
          type="button"
          class="link"
          onClick={() => changeServing(Object.fromEntries(LOAD_KEYS.map(key => [key, undefined])))}
        >
          As in the model's plan
        </button>
      ) : (
        <span
          class="muted"
          title={`Batch ${count(batch)}${phase === 'decode' && context > prompt ? `; the prompt is the context of ${count(context)} minus the answer` : ''}`}
        >
          Batch, prompt and answer: as in the model's plan
        </span>
      )}
      <MoreOfLoad request={request} />
    </div>
  );
}

interface LimitProps {
  label: string;
  unit: string;
  value: number | undefined; // s
  per: number; // shown = value * per
  onInput: (value: number | undefined) => void;
}

const Limit = ({ label, unit, value, per, onInput }: LimitProps) => (
  <label class="limit-field">
    {label} ≤{' '}
    <NumberInput
      label={`Longest ${label.toLowerCase()}, ${unit}`}
      value={value === undefined ? undefined : Number((value * per).toPrecision(4))}
      least={1e-3}
      most={1e6}
      unit={unit}
      optional
      placeholder="any"
      onInput={typed => onInput(typed === undefined ? undefined : typed / per)}
    />{' '}
    {unit}
  </label>
);

interface PercentFieldProps {
  name: string;
  label: string; // for screen readers, with the unit
  title: string;
  fraction: number;
  least: number; // %
  most: number; // %
  onInput: (fraction: number) => void;
}

/** A fraction, typed in percent. */
const PercentField = ({ name, label, title, fraction, least, most, onInput }: PercentFieldProps) => (
  <label class="limit-field" title={title}>
    {name}{' '}
    <NumberInput
      label={label}
      value={percentOf(fraction)}
      least={least}
      most={most}
      unit="%"
      onInput={percent => onInput(percent! / 100)}
    />{' '}
    %
  </label>
);

/** Settings of the load that are seldom changed. */
function MoreOfLoad({ request }: { request: ModelRequest }) {
  const { lengthSpread = 1, ttft = 'burst' } = viewState.value.serving ?? {};
  const { prefixHit } = servingLoad(request);
  const meanOf = ttft === 'burst' ? 'over 10 requests of each user, the first ones all at once' : 'in steady state';
  const lengths = lengthSpread < 1 ? `lengths from ${percentOf(lengthSpread)}%` : 'equal lengths';
  return (
    <details class="more-choices">
      <summary>
        Load options: {prefixHit > 0 ? `${percentOf(prefixHit)}% of prompts cached` : 'no cached prefix'}, {lengths},
        mean time to first token {meanOf}
      </summary>
      <div class="sweep-bar serving-bar">
        <PercentField
          name="Cached prefix"
          label="Cached prefix, %"
          title="Part of each prompt that is in the cache: it is not computed again"
          fraction={prefixHit}
          least={0}
          most={99}
          onInput={part => changeServing({ prefixHit: part })}
        />
        <PercentField
          name="Shortest length"
          label="Shortest length, % of the longest"
          title="Lengths are uniform from this part of the longest to the longest"
          fraction={lengthSpread}
          least={1}
          most={100}
          onInput={part => changeServing({ lengthSpread: part === 1 ? undefined : part })}
        />
        <label title="All users of a benchmark send at once at its start; its mean time to first token includes that wait">
          First token{' '}
          <Select
            label="Time to first token"
            value={ttft}
            options={BASES}
            onChange={chosen => changeServing({ ttft: chosen === 'burst' ? undefined : chosen })}
          />
        </label>
      </div>
    </details>
  );
}
