// Where would it run best: a whole run, an operator or a language model on each machine; the one in force first, then the fastest.
import { useState } from 'preact/hooks';
import { NONE, number, scaled, seconds, si, times } from '../format';
import { formatName } from '../core/catalogue';
import { machine, units } from '../core/engine';
import { modelRequest } from '../model/model';
import { BOUND_BY } from '../plot/bounds';
import { AnswerTable, type AnswerColumn } from '../widgets/AnswerTable';
import { ClipBox } from '../widgets/ClipBox';
import { SPEED_HINT, SpeedBar } from '../widgets/SpeedBar';
import { comparedMachines, takeMachine, useMachines, type MachineRow } from './compared';
import { late } from '../widgets/late';
import type { EditorProps } from './MachineEditor';
import { MachineList, WrongList } from './MachineList';

const MachineEditor = late<EditorProps>('MachineEditor');

/** A row per machine; a click on a name chooses it. */
export function Machines() {
  const model = modelRequest.value !== null;
  const compared = comparedMachines();
  const answer = useMachines(compared.request, model);
  const [editing, edit] = useState(false);
  if (answer && 'error' in answer) return <WrongList message={answer.error.message} />;
  const { rows = [], caution = '' } = answer?.json ?? {};
  const fastest = Math.max(
    ...rows.flatMap(row => [row.bound, row.estimate].map(figure => speedOf(eachOf(row, figure), model))),
  );
  const ranked = rows
    .map((row, i) => ({ row, i, speed: speedOf(figureOf(row), model) }))
    // The machine in force is the first row; its preset would be the same again.
    .filter(({ row, i }) => i === 0 || row.id !== rows[0]!.id)
    .sort(
      (a, b) =>
        Number(b.i === 0) - Number(a.i === 0) ||
        Number(cannotRun(a.row)) - Number(cannotRun(b.row)) ||
        Number(b.row.launch_known) - Number(a.row.launch_known) ||
        Number(a.row.assumed) - Number(b.row.assumed) ||
        b.speed - a.speed,
    );
  const some = (is: (row: MachineRow) => boolean) => ranked.some(({ row, speed }) => speed > 0 && is(row));
  const now = machine.value;
  const today = speedOf(figureOf(rows[0]), model);
  const columns = model ? MODEL : [...RUN.slice(0, 2), speedup(today, rows[0]), ...RUN.slice(2)];
  const figures = columns.map(column => ({
    ...column,
    cell: ({ row }: { row: MachineRow }) => column.cell(row, 0),
  }));
  return (
    <div class="machines-view">
      <MachineList compared={compared} rows={rows} whole={model}>
        {now && (
          <button type="button" class="link" onClick={() => edit(true)}>
            + my machine
          </button>
        )}
      </MachineList>
      {caution && <p class="crossings">{caution}</p>}
      {rows.length > 0 && (
        <p class="crossings muted">
          {SPEED_HINT}.{some(row => row.assumed && row.launch_known) && ` ~ ${ASSUMED}.`}
          {some(row => !row.launch_known) && ` ${withoutLaunches(model)} ${NO_LAUNCH}.`}
        </p>
      )}
      <ClipBox class="comparison" label="Machines side by side">
        <AnswerTable
          rows={ranked}
          keyOf={({ row, i }) => `${i} ${row.id}`}
          row={({ i, row }) => ({ 'aria-current': i === 0, class: cannotRun(row) ? 'muted' : '' })}
          columns={[
            {
              title: 'Machine',
              cell: ({ row, i }) =>
                i === 0 ? (
                  <strong>{row.name}</strong>
                ) : (
                  <button
                    type="button"
                    class="link"
                    title="Use this machine"
                    onClick={() => takeMachine(compared.itemOf(i, row))}
                  >
                    {row.name}
                  </button>
                ),
            },
            ...figures.slice(0, 1),
            {
              title: 'Speed',
              hint: SPEED_HINT,
              text: true,
              cell: ({ row }) => (
                <SpeedBar
                  estimate={speedOf(eachOf(row, row.estimate), model)}
                  bound={speedOf(eachOf(row, row.bound), model)}
                  whole={fastest}
                  limit={row.bound_by}
                />
              ),
            },
            ...figures.slice(1),
          ]}
        />
      </ClipBox>
      {editing && now && <MachineEditor machine={now} newName="My machine" onClose={() => edit(false)} />}
    </div>
  );
}

/** It does not fit, or there are no figures for its formats: listed last. */
const cannotRun = (row: MachineRow) => row.machines === null || !figureOf(row);

/** What machines are ranked by. */
const figureOf = (row: MachineRow | undefined) => (row && eachOf(row, row.estimate ?? row.bound)) ?? null;

/** Of one machine: a language model may need several. */
const eachOf = ({ machines }: MachineRow, figure: number | null) => figure && figure / (machines ?? 1);

/** Over the current machine, as in the headline; marked ≥ or ≤ if the time of one of the two lacks launch overhead. */
const speedup = (today: number, current: MachineRow | undefined): AnswerColumn<MachineRow> => ({
  title: 'Speed-up',
  hint: 'Over the current machine, by the estimates',
  cell: row => {
    const limit = row.launch_known === current?.launch_known ? '' : row.launch_known ? '≥ ' : '≤ ';
    const speed = today > 0 ? times(speedOf(figureOf(row), false) / today) : NONE;
    return speed === NONE ? speed : limit + speed;
  },
});

/** Higher is faster; 0: not known. */
const speedOf = (figure: number | null, rates: boolean) => (!figure ? 0 : rates ? figure : 1 / figure);

const dollars = (value: number | null) => (value === null ? NONE : `$${number(value)}`);
const PRICE = 'Purchase price spread over its years of use, four unless set, or the price by the hour';

function fitsOn({ machines, fit, tried }: MachineRow) {
  if (machines === null) return fit === 'context too long' ? fit : `not on ${tried}`;
  return machines === 1 ? (fit === 'tight' ? '1, barely' : fit === 'unknown' ? 'not known' : '1') : String(machines);
}

const ASSUMED = 'No benchmark of these machines is known: the estimate assumes the efficiency of similar ones';
const NO_LAUNCH = 'Without launch overhead, which is not known for these machines';
/// Launches make a time longer, a rate lower.
const withoutLaunches = (rates: boolean) => (rates ? '≤' : '≥');

/** Marks an estimate whose machine was not measured, or that lacks launch overhead. */
function Estimate({ row, rates = false, children }: { row: MachineRow; rates?: boolean; children: string }) {
  const mark = !row.launch_known ? withoutLaunches(rates) : row.assumed ? '~' : '';
  if (!mark || children === NONE) return <strong>{children}</strong>;
  return (
    <span title={row.launch_known ? 'No benchmark of this machine is known' : NO_LAUNCH}>
      <span class="muted">{mark} </span>
      <strong>{children}</strong>
    </span>
  );
}

const MODEL: AnswerColumn<MachineRow>[] = [
  {
    title: 'Tokens/s per machine',
    hint: 'The estimate; the list is ranked by it',
    cell: row => (
      <Estimate row={row} rates>
        {number(figureOf(row))}
      </Estimate>
    ),
  },
  {
    title: 'Bound per machine',
    hint: 'The most that one machine allows, tokens/s',
    cell: row => number(eachOf(row, row.bound)),
  },
  {
    title: 'Fits on',
    hint: 'How many machines hold weights, cache and activations; “not on 8”: no more can work together. “Barely”: less than a tenth of the memory is left, which serving engines keep for themselves',
    cell: fitsOn,
  },
  { title: 'Tokens/s together', hint: 'The estimate of all these machines', cell: ({ estimate }) => number(estimate) },
  {
    title: 'First token',
    hint: 'When the prompts of the whole batch arrive at once, with all these machines',
    cell: ({ typical_ttft_s }) => seconds(typical_ttft_s),
  },
  { title: 'Per million tokens', hint: PRICE, cell: row => dollars(row.usd_per_million) },
  { title: 'Time per token', hint: 'With all these machines', cell: ({ typical_tpot_s }) => seconds(typical_tpot_s) },
  { title: 'Energy per token', hint: 'At the rated power', cell: ({ joules }) => si(joules, 'J') },
];

const RUN: AnswerColumn<MachineRow>[] = [
  {
    title: 'Estimate',
    hint: 'With overheads',
    cell: row => <Estimate row={row}>{seconds(row.typical_time_s)}</Estimate>,
  },
  { title: 'Bound', cell: ({ predicted_time_s }) => seconds(predicted_time_s) },
  {
    title: 'Fits',
    hint: 'Whether the largest operation fits the device memory',
    text: true,
    cell: ({ fits, bound }) =>
      fits === false ? 'does not fit' : bound === null ? 'formats unsupported' : fits ? 'yes' : 'not known',
  },
  { title: 'Per million runs', hint: PRICE, cell: row => dollars(row.usd_per_million) },
  { title: 'Bound by', hint: BOUND_BY, text: true, cell: ({ bound_by }) => bound_by || NONE },
  {
    title: 'Computes as',
    text: true,
    cell: ({ compute, fallback }) => (
      <>
        {compute ? formatName(compute) : NONE}
        {fallback && <span class="muted"> (fallback)</span>}
      </>
    ),
  },
  { title: 'Ridge', cell: ({ ridge }) => number(scaled(ridge, units.value)) },
];
