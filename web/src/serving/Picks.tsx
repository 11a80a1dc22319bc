// The best deployments at some speeds, what limits each, and what comes next.
import { count, number, percent, seconds, times } from '../format';
import { seriesVariable } from '../plot/palette';
import { AnswerTable, type AnswerColumn } from '../widgets/AnswerTable';
import { ClipBox } from '../widgets/ClipBox';
import { changeServing, type FrontierJson, type Pick } from './frontier';

/** A pick by its places in the answer. */
export interface Chosen {
  machine: number;
  row: number;
}

interface Row extends Chosen {
  name: string;
  pick: Pick;
}

export const speedText = ({ tokens_per_s_per_user: speed }: Pick) =>
  speed === null ? 'any speed' : `at least ${number(speed)} tokens/s`;

/** The machines below each other, for each speed. */
export function Picks({ json, chosen }: { json: FrontierJson; chosen: Chosen | null }) {
  const rows: Row[] = (json.machines[0]?.picks ?? []).flatMap((_, row) =>
    json.machines.map(({ name, picks }, machine) => ({ machine, row, name, pick: picks[row]! })),
  );
  const columns: AnswerColumn<Row>[] = [
    {
      title: 'Machine',
      cell: ({ pick, machine, row, name }) => (
        <button
          type="button"
          class="link"
          disabled={!pick.best}
          aria-pressed={chosen?.machine === machine && chosen.row === row}
          aria-label={`${name}, ${speedText(pick)} per user`}
          title="Shows its commands"
          onClick={() => changeServing({ pick: [machine, row] })}
        >
          <span class="dot" style={{ '--colour': seriesVariable(machine) }} /> {name}
        </button>
      ),
    },
    {
      title: 'Per user',
      hint: 'Tokens/s for each user: at least, and in this deployment',
      cell: ({ pick: { tokens_per_s_per_user: least, best } }) => (
        <>
          <span class="muted">{least === null ? '' : `≥ ${number(least)}: `}</span>
          {number(best?.tokens_per_s_per_user)}
        </>
      ),
    },
    {
      title: 'Tokens/s per machine',
      hint: 'Output tokens, estimate',
      cell: ({ pick: { best } }) => (
        <span title={best ? `Bound: ${number(best.bound_tokens_per_s_per_machine)}` : undefined}>
          {best ? number(best.tokens_per_s_per_machine) : '–'}
        </span>
      ),
    },
    { title: 'First token', hint: 'Mean time to first token', cell: ({ pick: { best } }) => seconds(best?.ttft_s) },
    { title: 'Users', cell: ({ pick: { best } }) => (best ? count(Math.round(best.concurrency)) : '–') },
    { title: 'Machines', cell: ({ pick: { best } }) => count(best?.machines) },
    {
      title: 'Deployment',
      text: true,
      cell: ({ pick: { best, nearest, missed_by } }) =>
        best ? (
          best.layout
        ) : nearest ? (
          <span class="muted">
            none; the nearest, {nearest.layout}, takes {times(missed_by)} the time
          </span>
        ) : (
          <span class="muted">does not fit</span>
        ),
    },
    { title: 'Limited by', text: true, cell: ({ pick }) => pick.binds },
    {
      title: 'Next best',
      hint: 'The best of another layout or format, and how much less it makes',
      text: true,
      cell: ({ pick: { next, next_loses } }) =>
        next && (
          <>
            {next.layout} <span class="muted">{percent(next_loses)} less</span>
          </>
        ),
    },
  ];
  return (
    <ClipBox class="serving-table" label="Best deployments">
      <AnswerTable
        rows={rows}
        keyOf={({ machine, row }) => `${row} ${machine}`}
        row={({ machine, row }) => ({
          class: `${machine === 0 && row > 0 ? 'first-of-speed' : ''} ${
            chosen?.machine === machine && chosen.row === row ? 'chosen' : ''
          }`,
        })}
        columns={columns}
      />
    </ClipBox>
  );
}
