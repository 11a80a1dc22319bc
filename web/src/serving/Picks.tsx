// The best deployments at some speeds, what limits each, and what comes next.
import { count, number, percent, seconds } from '../format';
import { seriesVariable } from '../plot/palette';
import { AnswerTable, type AnswerColumn } from '../widgets/AnswerTable';
import { ClipBox } from '../widgets/ClipBox';
import type { ModelRequest } from '../model/model_request';
import { servingLoad } from './load';
import {
  changeServing,
  PUBLISHED,
  weightsText,
  type Deployment,
  type FrontierJson,
  type Pick,
  type Searched,
} from './frontier';
import { limitName } from './metrics';

/** A pick by its places in the answer. */
export interface Chosen {
  machine: number;
  row: number;
}

interface Row extends Chosen {
  searched: Searched;
  pick: Pick;
}

/** A row for each machine: first under the request's condition, then at each speed. */
export function Picks({ json, chosen, request }: { json: FrontierJson; chosen: Chosen | null; request: ModelRequest }) {
  const { main_pick: first } = json;
  const places = (json.machines[0]?.picks ?? []).map((_, row) => row);
  const rows: Row[] = [first, ...places.filter(row => row !== first)].flatMap(row =>
    json.machines.map((searched, machine) => ({ machine, row, searched, pick: searched.picks[row]! })),
  );
  const shown = rows.flatMap(({ pick: { best, next } }) => [best, next]);
  const sayWeights = shown.some(deployment => deployment && deployment.weights !== PUBLISHED);
  const layoutOf = ({ layout }: Deployment) => (sayWeights ? layout : layout.replace(`${weightsText(PUBLISHED)} `, ''));
  const { generate } = servingLoad(request);
  const perMachine = ` (tokens/s per machine = users x ${count(generate)} tokens / request time / machines)`;
  // The columns that the headline names come first: if there is no room for all, the table scrolls to the rest.
  const columns: AnswerColumn<Row>[] = [
    {
      title: 'Machine',
      value: ({ searched }) => searched.name,
      cell: ({ pick, machine, row, searched: { id, name, stack, tpot_error, assumed } }) => (
        <button
          type="button"
          class="link"
          disabled={!pick.best}
          aria-pressed={chosen?.machine === machine && chosen.row === row}
          aria-label={`${name}, ${pick.asked}`}
          title="Shows its commands"
          onClick={() => changeServing({ pick: [id, row] })}
        >
          <span class="dot" style={{ '--colour': seriesVariable(machine) }} /> {name}
          {assumed ? (
            <span class="muted" title={`The efficiencies of this machine are assumed: ${assumed}`}>
              {' '}
              assumed
            </span>
          ) : (
            tpot_error === null && (
              <span
                class="muted"
                title={`The error of this estimate is not known: no run of ${stack} on this machine is published`}
              >
                {' '}
                no published run
              </span>
            )
          )}
        </button>
      ),
    },
    {
      title: 'Users',
      value: ({ pick: { best } }) => best?.concurrency,
      cell: ({ pick: { best } }) => (best ? count(Math.round(best.concurrency)) : '–'),
    },
    {
      title: 'Machines',
      value: ({ pick: { best } }) => best?.machines,
      cell: ({ pick: { best } }) => count(best?.machines),
    },
    {
      title: 'Tokens/s per user',
      hint: 'Of each user after the first token',
      value: ({ pick: { best } }) => best?.tokens_per_s_per_user,
      cell: ({ pick: { best } }) => number(best?.tokens_per_s_per_user),
    },
    {
      title: 'Tokens/s per machine',
      hint: 'Output tokens only, with the time of prefill: less than users x tokens/s per user / machines',
      value: ({ pick: { best } }) => best?.tokens_per_s_per_machine,
      cell: ({ pick: { best } }) => (
        <span title={best ? `Bound: ${number(best.bound_tokens_per_s_per_machine)}` : undefined}>
          {best ? number(best.tokens_per_s_per_machine) : '–'}
        </span>
      ),
    },
    {
      title: 'First token',
      hint: 'Mean time to first token',
      value: ({ pick: { best } }) => best?.ttft_s,
      unit: 's',
      cell: ({ pick: { best } }) => seconds(best?.ttft_s),
    },
    { title: 'Limited by', text: true, cell: ({ pick }) => limitName(pick.binds) },
    {
      title: 'Deployment',
      text: true,
      cell: ({ pick: { best, missed } }) => (best ? layoutOf(best) : <span class="muted missed">{missed}</span>),
    },
    {
      title: 'Request',
      hint: 'From a request to its last token',
      value: ({ pick: { best } }) => best?.request_s,
      unit: 's',
      cell: ({ pick: { best } }) => seconds(best?.request_s),
    },
    {
      title: 'Next best',
      hint: 'The best of another layout or format, and how much less it makes',
      text: true,
      cell: ({ pick: { next, next_loses } }) =>
        next && (
          <>
            {layoutOf(next)} <span class="muted">{percent(next_loses)} less</span>
          </>
        ),
    },
  ];
  return (
    <ClipBox class="serving-table" label="Best deployments">
      <AnswerTable
        rows={rows}
        keyOf={({ machine, row }) => `${row} ${machine}`}
        group={({ pick, row }) => (row === first ? `${pick.asked}${perMachine}` : pick.asked)}
        row={({ machine, row }) => ({ class: chosen?.machine === machine && chosen.row === row ? 'chosen' : '' })}
        columns={columns}
      />
    </ClipBox>
  );
}
