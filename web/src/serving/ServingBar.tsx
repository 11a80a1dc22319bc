// The controls of the search: machines, formats, metric, prices, engine.
import { asOptions, formats, machines, stacks } from '../core/catalogue';
import { plural } from '../format';
import { narrow } from '../core/layout';
import { settings } from '../core/settings';
import { viewState } from '../core/view';
import { machineName, machineOf, machineOptions } from '../machine/machine_options';
import type { ModelRequest } from '../model/model_request';
import { Combobox } from '../widgets/Combobox';
import { Icon } from '../widgets/Icon';
import { NumberInput } from '../widgets/NumberInput';
import { Select } from '../widgets/Select';
import { changeServing, PUBLISHED, searchedMachines, searchedWeights, weightsText, type Searched } from './frontier';
import { METRICS } from './metrics';

/** Machines offered for prefill, besides those that are searched. */
const PREFILL = ['h100-sxm', 'h200-sxm', 'b200-sxm', 'mi300x', 'mi355x'];
const MOST_MACHINES = 6;
const MOST_FORMATS = 4;
const GPUS = [1, 2, 4, 8, 16, 32, 64, 72];
/** Stacks that are fitted to published serving runs. */
const ENGINES = ['vllm', 'sglang', 'trtllm'];

const idOf = (item: string | object | undefined) => (typeof item === 'object' ? (item as Searched).id : item);

/** `searched`: of the last answer. */
export function ServingBar({ request, searched }: { request: ModelRequest; searched: Searched[] }) {
  const { metric = 'machine' } = viewState.value.serving ?? {};
  const chosen = searchedMachines();
  const searchedIds = chosen.map(idOf);
  const weights = searchedWeights(request);
  const summary = `${plural(chosen.length, 'kind')} of machine, ${weights.map(weightsText).join(', ')}`;
  const bar = (
    <div class="sweep-bar serving-bar">
      <Removable
        label="Machines"
        items={chosen.map(machineName)}
        onRemove={at => changeServing({ machines: chosen.filter((_, i) => i !== at) })}
      >
        {chosen.length < MOST_MACHINES && (
          <Combobox
            label="Add a machine"
            options={machineOptions().filter(({ id }) => !searchedIds.includes(idOf(machineOf(id))))}
            value="Add a machine…"
            onChange={id => {
              const added = machineOf(id);
              if (added) changeServing({ machines: [...chosen, added] });
            }}
          />
        )}
      </Removable>
      <Removable
        label="Weight formats"
        items={weights.map(weightsText)}
        onRemove={at => changeServing({ weights: weights.filter((_, i) => i !== at) })}
      >
        {weights.length < MOST_FORMATS && (
          <Select
            label="Add a weight format"
            value=""
            options={[
              ['', 'Add a format…'],
              ...[[PUBLISHED, weightsText(PUBLISHED)] as const, ...asOptions(formats.value)].filter(
                ([id]) => !weights.includes(id),
              ),
            ]}
            onChange={id => id && changeServing({ weights: [...weights, id] })}
          />
        )}
      </Removable>
      <label>
        Show{' '}
        <Select
          label="Show"
          value={metric}
          options={Object.entries(METRICS).map(([id, { label }]) => [id, label] as const)}
          onChange={id => changeServing({ metric: id === 'machine' ? undefined : id })}
        />
      </label>
      <Prices searched={searched} />
      <MoreOfSearch chosen={chosen} />
    </div>
  );
  return narrow.value ? (
    <details class="serving-choices">
      <summary>Searched: {summary}</summary>
      {bar}
    </details>
  ) : (
    bar
  );
}

/** Settings of the search that are seldom changed. */
function MoreOfSearch({ chosen }: { chosen: (string | object)[] }) {
  const { gpus, disaggregated = false, prefillMachines, stack } = viewState.value.serving ?? {};
  const known = new Set([
    ...PREFILL,
    ...[...chosen, ...(prefillMachines ?? [])].filter(item => typeof item === 'string'),
  ]);
  const usual = settings.value.stack ? nameOfStack(settings.value.stack) : 'default';
  const summary = [
    gpus === undefined ? 'any number of machines' : plural(gpus, 'machine'),
    stack ? nameOfStack(stack) : `${usual} engine`,
    disaggregated ? 'with or without separate machines for prefill' : 'prefill and decode on the same machines',
  ];
  return (
    <details class="more-choices">
      <summary>Search options: {summary.join(', ')}</summary>
      <div class="sweep-bar serving-bar">
        <label title="Machines of a deployment, all of them used">
          Machines{' '}
          <Select
            label="Machines of a deployment"
            value={gpus ?? 0}
            options={[[0, 'any'], ...GPUS.map(n => [n, String(n)] as const)]}
            onChange={n => changeServing({ gpus: n || undefined })}
          />
        </label>
        <label title="The inference engine whose published runs the estimate is fitted to">
          Engine{' '}
          <Select
            label="Engine"
            value={stack ?? ''}
            options={[['', usual], ...asOptions(stacks.value.filter(({ id }) => ENGINES.includes(id) || id === stack))]}
            onChange={id => changeServing({ stack: id || undefined })}
          />
        </label>
        <label class="check" title="Also searches deployments with separate machines for prefill and decode">
          <input
            type="checkbox"
            checked={disaggregated}
            onChange={event => changeServing({ disaggregated: event.currentTarget.checked })}
          />
          Disaggregated
        </label>
        {disaggregated && (
          <label title="Machines for prefill, if not the same as for decode">
            Prefill on{' '}
            <Select
              label="Prefill on"
              value={typeof prefillMachines?.[0] === 'string' ? prefillMachines[0] : ''}
              options={[['', 'the same'], ...asOptions(machines.value.filter(({ id }) => known.has(id)))]}
              onChange={id => changeServing({ prefillMachines: id ? [id] : undefined })}
            />
          </label>
        )}
      </div>
    </details>
  );
}

const nameOfStack = (id: string) => stacks.value.find(stack => stack.id === id)?.name ?? id;

/** Chips that can be removed, except the last one, and a control that adds one. */
function Removable({
  label,
  items,
  onRemove,
  children,
}: {
  label: string;
  items: string[];
  onRemove: (at: number) => void;
  children: preact.ComponentChildren;
}) {
  return (
    <ul class="chips" aria-label={label}>
      {items.map((name, i) => (
        <li key={name}>
          <button type="button" aria-label={`Remove ${name}`} disabled={items.length === 1} onClick={() => onRemove(i)}>
            {name} {items.length > 1 && <Icon name="close" />}
          </button>
        </li>
      ))}
      {children && <li>{children}</li>}
    </ul>
  );
}

const OWN = 'own'; // prices typed here, without a list

/** Prices per machine-hour: none until one is chosen; each can be changed. */
function Prices({ searched }: { searched: Searched[] }) {
  const { price, usd } = viewState.value.serving ?? {};
  const terms = [...new Set(searched.flatMap(({ prices }) => prices.map(({ name }) => name)))];
  const source = searched.flatMap(({ prices }) => prices).find(({ name }) => name === price)?.source;
  return (
    <>
      <label title={source ? `Source: ${source}` : 'No price is used until one is chosen'}>
        Price{' '}
        <Select
          label="Price"
          value={price ?? (usd ? OWN : '')}
          options={[
            ['', 'none'],
            ...(usd ? [[OWN, 'my own'] as const] : []),
            ...terms.map(name => [name, name] as const),
          ]}
          onChange={name =>
            changeServing(name === OWN ? { price: undefined } : { price: name || undefined, usd: undefined })
          }
        />
      </label>
      {(price || usd || METRICS[viewState.value.serving?.metric ?? 'machine']?.priced) &&
        searched.map(({ id, name, usd_per_hour }) => (
          <label key={id} class="limit-field">
            {name}{' '}
            <NumberInput
              label={`USD per hour of ${name}`}
              value={usd?.[id] ?? usd_per_hour ?? undefined}
              least={1e-3}
              most={1e4}
              optional
              placeholder="price"
              onInput={typed => {
                const { [id]: _, ...others } = usd ?? {};
                const next = typed === undefined ? others : { ...others, [id]: typed };
                changeServing({ usd: Object.keys(next).length ? next : undefined });
              }}
            />{' '}
            $/h
          </label>
        ))}
    </>
  );
}
