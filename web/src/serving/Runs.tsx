// The measured runs in words: the user's own, with what they ran on, and the lengths of published ones.
import { count } from '../format';
import { machines } from '../core/catalogue';
import { viewState, type ServingRun } from '../core/view';
import { Icon } from '../widgets/Icon';
import { NumberInput } from '../widgets/NumberInput';
import { Select } from '../widgets/Select';
import { changeServing, type FrontierJson } from './frontier';
import { hasLengths, runText, type Lengths } from './rings';

const FEW = 4;

const isSearched = ({ machine }: ServingRun, json: FrontierJson) => json.machines.some(({ id }) => id === machine);

/** The searched machines, and the run's own. */
const machinesFor = (run: ServingRun, json: FrontierJson) => [
  ...(isSearched(run, json) ? [] : [[run.machine, nameOfMachine(run.machine)] as const]),
  ...json.machines.map(({ id, name }) => [id, name] as const),
];

const nameOfMachine = (id: string) => machines.peek().find(machine => machine.id === id)?.name ?? id;

const whyHidden = (run: ServingRun, json: FrontierJson) =>
  !isSearched(run, json)
    ? ' not on the chart: its machine is not searched'
    : hasLengths(run, json)
      ? ''
      : ' not on the chart: other lengths';

/** `published`: how many are on the chart; `others`: at other lengths. */
export function Runs({ json, published, others }: { json: FrontierJson; published: number; others: Lengths[] }) {
  const runs = viewState.value.serving?.runs ?? [];
  const set = (at: number, part: Partial<ServingRun> | null) => {
    const next = runs.flatMap((run, i) => (i !== at ? run : part ? { ...run, ...part } : []));
    changeServing({ runs: next.length ? next : undefined });
  };
  return (
    <div class="serving-notes">
      <p class="muted">
        {published > 0 && `Rings: ${count(published)} published runs of this model at these lengths. `}
        {others.length > 0 && (
          <>
            Published runs at other lengths:{' '}
            {others.slice(0, FEW).map(({ prompt, generate, runs: n }, i) => (
              <span key={`${prompt} ${generate}`}>
                {i > 0 && ', '}
                <button type="button" class="link" onClick={() => changeServing({ prompt, generate })}>
                  {count(prompt)} in, {count(generate)} out
                </button>{' '}
                ({count(n)})
              </span>
            ))}
            .{' '}
          </>
        )}
        Drop a benchmark result of vLLM, SGLang, genai-perf or AIPerf (JSON, CSV or printed text) to show its runs as
        rings.
      </p>
      {runs.length > 0 && (
        <ul class="own-runs" aria-label="My runs">
          {runs.map((run, i) => (
            <li key={i}>
              <strong>{run.name}</strong> {runText(run)} on{' '}
              <NumberInput
                label={`Machines of ${run.name}`}
                value={run.machines}
                whole
                onInput={machines => machines && set(i, { machines })}
              />{' '}
              ×{' '}
              <Select
                label={`Machine of ${run.name}`}
                value={run.machine}
                options={machinesFor(run, json)}
                onChange={machine => set(i, { machine })}
              />{' '}
              <button type="button" class="link" aria-label={`Remove ${run.name}`} onClick={() => set(i, null)}>
                <Icon name="close" />
              </button>
              <span class="muted">{whyHidden(run, json)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
