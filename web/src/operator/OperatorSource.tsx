// An operator by its shape: presets, its parameters, the formats to compare. Every change recomputes.
import { useEffect, useState } from 'preact/hooks';
import { asOptions, formats, operators } from '../core/catalogue';
import { openMeasuring } from '../measure/open';
import { faults } from '../sources/opened';
import {
  changeOperator,
  detailsOf,
  example,
  formatLabel,
  ROLES,
  openOperator,
  operator,
  PRESETS,
  refusedParameter,
  setParameter,
  snap,
  startOf,
  type Operator,
  type OperatorDetails,
  type Parameter,
} from './operator';
import { Combobox } from '../widgets/Combobox';
import { Icon } from '../widgets/Icon';
import { IconButton } from '../widgets/IconButton';
import { MOST_COUNTED } from '../widgets/NumberInput';
import { Slider } from '../widgets/Slider';
import { Select } from '../widgets/Select';

/** The choice of an operator, its shape and its formats. */
export function OperatorSource() {
  const now = operator.value;
  const [details, setDetails] = useState<OperatorDetails | null>(null);
  useEffect(() => {
    if (now) void detailsOf(now.type).then(setDetails);
  }, [now?.type]);
  if (!now) return null;
  const choose = async (id: string) => {
    const chosen = await detailsOf(id);
    if (chosen) void openOperator({ type: id, parameters: startOf(chosen), formats: now.formats });
  };
  return (
    <div class="operator">
      <Select
        label="Operator preset"
        value={PRESETS.find(preset => same(preset, now))?.name ?? ''}
        options={[['', 'custom shape'], ...PRESETS.map(({ name }) => [name, name] as const)]}
        onChange={chosen => {
          const preset = PRESETS.find(({ name }) => name === chosen);
          if (preset) void openOperator({ ...preset, formats: now.formats });
        }}
      />
      <Combobox
        label="Operator"
        options={operators.value}
        value={details?.name ?? now.type}
        onChange={id => void choose(id)}
      />
      <div class="sliders">
        {Object.entries(now.parameters).map(([key, value]) => (
          <Field key={`${now.type} ${key}`} name={key} value={value} details={details} />
        ))}
      </div>
      {details && <AddParameter now={now} details={details} />}
      <FormatList now={now} />
      <button type="button" onClick={() => openMeasuring()}>
        Run it in this browser…
      </button>
    </div>
  );
}

/** Parameters that may be 0 or less. */
const SMALL: Record<string, [least: number, most: number]> = {
  padding: [0, MOST_COUNTED],
  output_padding: [0, MOST_COUNTED],
  axis: [-16, 16],
};

const same = (preset: Operator, now: Operator) =>
  preset.type === now.type && JSON.stringify(preset.parameters) === JSON.stringify(now.parameters);

function Field({ name, value, details }: { name: string; value: Parameter; details: OperatorDetails | null }) {
  const meaning = details?.parameters.find(({ key }) => key === name);
  const title = meaning && `${meaning.meaning}${meaning.default === null ? '' : `; default: ${meaning.default}`}`;
  const remove = meaning && meaning.default !== null ? () => void setParameter(name, undefined) : undefined;
  const resetLabel = `Leave out ${name}`;
  const resetTitle = `Leave ${name} out: its default, ${meaning?.default}, applies`;
  if (name === 'sparsity' && typeof value === 'number')
    return (
      <Slider
        label={name}
        title={title}
        value={value}
        min={0}
        max={0.99}
        step={0.01}
        unit=""
        onInput={next => void setParameter(name, next)}
        onReset={remove}
        resetLabel={resetLabel}
        resetTitle={resetTitle}
        resetIcon="close"
      />
    );
  const [least, most] = SMALL[name] ?? [1, MOST_COUNTED];
  if (typeof value === 'number')
    return (
      <Slider
        label={name}
        title={title}
        value={value}
        {...(SMALL[name] ? { min: least, max: 16 } : { min: 1, max: Math.max(16384, value), log: true, snap })}
        least={least}
        most={most}
        whole
        unit=""
        digits={9}
        fault={faultOf(name)}
        onInput={next => void setParameter(name, Math.round(next))}
        onReset={remove}
        resetLabel={resetLabel}
        resetTitle={resetTitle}
        resetIcon="close"
      />
    );
  return (
    <div class={shown(value).includes(',') ? 'field parameter list' : 'field parameter'} title={title}>
      <label for={`parameter-${name}`}>{name}</label>
      {typeof value === 'boolean' ? (
        <input
          type="checkbox"
          id={`parameter-${name}`}
          checked={value}
          onChange={event => void setParameter(name, event.currentTarget.checked)}
        />
      ) : (
        <TextField
          id={`parameter-${name}`}
          value={value}
          fault={faultOf(name)}
          onChange={next => void setParameter(name, next)}
        />
      )}
      {remove && <IconButton icon="reset" label={resetLabel} hint={resetTitle} class="ghost small" onClick={remove} />}
    </div>
  );
}

const shown = (value: Parameter) =>
  Array.isArray(value)
    ? JSON.stringify(value).slice(1, -1).replaceAll(',', ', ').replaceAll('], [', '], [')
    : String(value);

const faultOf = (name: string) => (refusedParameter.value?.key === name ? refusedParameter.value.message : undefined);

interface TextProps {
  id: string;
  value: Parameter;
  fault: string | undefined;
  onChange: (value: Parameter) => void;
}

function TextField({ id, value, fault, onChange }: TextProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const refused = typed !== null && fault !== undefined;
  return (
    <span class="refusing">
      <input
        type="text"
        id={id}
        aria-invalid={refused}
        aria-describedby={refused ? `${id}-fault` : undefined}
        value={typed ?? shown(value)}
        spellcheck={false}
        autocomplete="off"
        onBlur={() => {
          setTyped(null);
          if (refused) faults.value = [];
        }}
        onInput={event => {
          const text = event.currentTarget.value;
          setTyped(text);
          onChange(parsed(text));
        }}
      />
      {refused && (
        <span class="refused" role="alert" id={`${id}-fault`}>
          {fault}
        </span>
      )}
    </span>
  );
}

/** Parses a typed value: "1, 64, 56, 56" is a shape; text that is not JSON is a word, which the core checks. */
function parsed(text: string): Parameter {
  try {
    return JSON.parse(/[,[]/.test(text) ? `[${text}]` : text) as Parameter;
  } catch {
    return text;
  }
}

function AddParameter({ now, details }: { now: Operator; details: OperatorDetails }) {
  const rest = details.parameters.filter(({ key }) => !(key in now.parameters));
  if (rest.length === 0) return null;
  return (
    <Select
      class="add"
      label="Add a parameter"
      value=""
      options={[['', 'Add a parameter…'], ...rest.map(({ key, meaning }) => [key, `${key}: ${meaning}`] as const)]}
      onChange={key => key && void setParameter(key, example(key, details))}
    />
  );
}

function FormatList({ now }: { now: Operator }) {
  const set = (list: string[]) => void changeOperator({ formats: list });
  const add = (entry: string) => !now.formats.includes(entry) && set([...now.formats, entry]);
  const [roles, setRoles] = useState(['int4', 'fp16', '', '']);
  return (
    <>
      <h3>Formats to compare</h3>
      <ul class="chips">
        {now.formats.map(entry => (
          <li key={entry}>
            <button
              type="button"
              aria-label={`Remove ${formatLabel(entry)}`}
              disabled={now.formats.length === 1}
              onClick={() => set(now.formats.filter(other => other !== entry))}
            >
              {formatLabel(entry)} <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      <Select
        class="add"
        label="Add a format"
        value=""
        options={[['', 'Add a format…'], ...asOptions(formats.value.filter(({ id }) => !now.formats.includes(id)))]}
        onChange={id => id && add(id)}
      />
      <details>
        <summary>Formats by operand</summary>
        {ROLES.map((role, i) => (
          <label key={role} class="field">
            {role}
            <Select
              value={roles[i]!}
              options={[
                ...(i > 0 ? [['', i === 1 ? 'same as weights' : 'same as activations'] as const] : []),
                ...asOptions(formats.value),
              ]}
              onChange={id => setRoles(roles.map((old, at) => (at === i ? id : old)))}
            />
          </label>
        ))}
        <button type="button" onClick={() => add(roles.join(':').replace(/:+$/, ''))}>
          Compare these
        </button>
      </details>
    </>
  );
}
