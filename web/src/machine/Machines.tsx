// Where would it run best: a whole run, an operator or a language model on each machine; the one in force first, then the fastest.
import { useState } from 'preact/hooks';
import { count, NONE, number, percent, plural, scaled, seconds, si, times } from '../format';
import { formatName } from '../core/catalogue';
import { machine, units } from '../core/engine';
import { changeView, viewState } from '../core/view';
import { modelAnswer, modelRequest } from '../model/model';
import { promptOf, type ModelRequest } from '../model/model_request';
import { BOUND_BY } from '../plot/bounds';
import { AnswerTable, sortedBy, type AnswerColumn } from '../widgets/AnswerTable';
import { ClipBox } from '../widgets/ClipBox';
import { SPEED_HINT, SpeedBar } from '../widgets/SpeedBar';
import { myMachines } from './machine_options';
import { comparedMachines, takeMachine, useMachines, type MachineRow } from './compared';
import { late } from '../widgets/late';
import type { EditorProps } from './MachineEditor';
import { MachineList, WrongList } from './MachineList';
import { MODEL_DEFAULTS } from '../protocol';

const MachineEditor = late<EditorProps>('MachineEditor');

/** A row per machine; a click on a name chooses it. */
export function Machines() {
  const request = modelRequest.value;
  const model = request !== null;
  const compared = comparedMachines();
  const answer = useMachines(compared.request, model);
  const [editing, edit] = useState(false);
  if (answer && 'error' in answer) return <WrongList message={answer.error.message} />;
  const { rows = [], caution = '', contradicted = false, measured_s = null } = answer?.json ?? {};
  const fastest = Math.max(
    ...rows.flatMap(row => [row.bound, row.estimate].map(figure => speedOf(eachOf(row, figure), model))),
  );
  // The machine in force is the first row; its preset would be the same again.
  const listed = rows.filter((row, i) => i === 0 || row.id !== rows[0]!.id);
  const someFit = rows.some(({ fits }) => fits);
  const group = (row: MachineRow) => groupOf(row, someFit);
  const ranked = [...listed].sort(
    (a, b) =>
      Number(b === rows[0]) - Number(a === rows[0]) ||
      group(a) - group(b) ||
      speedOf(figureOf(b), model) - speedOf(figureOf(a), model),
  );
  const together = Math.max(request?.tp ?? 1, request?.ep ?? 1);
  const grouped = new Set(ranked.slice(1).map(group)).size > 1;
  const now = machine.value;
  const base = contradicted
    ? { time_s: measured_s, launch_known: true }
    : { time_s: figureOf(rows[0]), launch_known: rows[0]?.launch_known };
  const columns = model ? MODEL : [...RUN.slice(0, 2), speedup(base, contradicted), ...RUN.slice(2)];
  const beforeBar = model ? 2 : 1; // a phone shows the columns before the bars
  const { machineSort, machineAscending = false } = viewState.value;
  const order = machineSort === undefined ? undefined : { id: machineSort, ascending: machineAscending };
  const sorted = sortedBy(ranked, [NAME, ...columns], order);
  const notes = [
    model &&
      `Fits on: the number of machines needed (1, 2, 4, 8, …). ${percent(modelAnswer.value?.memory.reserve)} of each memory stays free. ${promptsOf(request)}. For users who keep sending prompts, Serving may rank the machines differently.`,
    together > 1 && `Each has at least the ${together} machines that the plan is set to.`,
    rows.some(row => row.usd_per_million !== null) &&
      `Prices are spread over ${count(modelAnswer.value?.cost.years ?? MODEL_DEFAULTS.years)} years of use.`,
    ...MARKED.map(marked => order && listed.some(row => group(row) === marked) && `${headingOf(marked, model)}.`),
  ].filter(note => rows.length > 0 && note);
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
        <p class="crossings muted key-and-notes">
          <span>{SPEED_HINT}.</span> {notes.length > 0 && <span class="machine-notes">{notes.join(' ')}</span>}
        </p>
      )}
      <ClipBox class="comparison" label="Machines side by side">
        <AnswerTable
          rows={sorted}
          keyOf={row => `${rows.indexOf(row)} ${row.id}`}
          row={row => ({ 'aria-current': row === rows[0], class: cannotRun(row) ? 'muted' : '' })}
          group={row => (order || !grouped || row === rows[0] ? '' : headingOf(group(row), model))}
          order={order}
          onSort={next => changeView({ machineSort: next?.id, machineAscending: next?.ascending || undefined })}
          columns={[
            {
              ...NAME,
              cell: row => (
                <>
                  {row === rows[0] ? (
                    <strong>{row.name}</strong>
                  ) : (
                    <button
                      type="button"
                      class="link"
                      title="Use this machine"
                      onClick={() => takeMachine(compared.itemOf(rows.indexOf(row), row))}
                    >
                      {row.name}
                    </button>
                  )}
                  {model && noteOf(row) && <span class="aside muted">{noteOf(row)}</span>}
                </>
              ),
            },
            ...columns.slice(0, beforeBar),
            {
              title: 'Speed',
              hint: SPEED_HINT,
              text: true,
              cell: row => (
                <SpeedBar
                  estimate={speedOf(eachOf(row, row.estimate), model)}
                  bound={speedOf(eachOf(row, row.bound), model)}
                  whole={fastest}
                  limit={row.bound_by}
                />
              ),
            },
            ...columns.slice(beforeBar),
          ]}
        />
      </ClipBox>
      {editing && now && <MachineEditor machine={now} newName="My machine" onClose={() => edit(false)} />}
    </div>
  );
}

/** The prompts that the rates and times are of. */
const promptsOf = (request: ModelRequest) =>
  (request.batch ?? 1) === 1
    ? `One prompt of ${plural(promptOf(request), 'token')} alone`
    : `A batch of ${count(request.batch!)} prompts of ${plural(promptOf(request), 'token')} at once`;

/** It does not fit, or there are no figures for its formats. */
const cannotRun = (row: MachineRow) => row.machines === null || (!figureOf(row) && !row.compute);

/** What the estimate of a machine rests on. The headline names the fastest of the first group, so the table has one group after the other. */
enum Group {
  mine,
  benchmarked,
  assumed,
  noLaunches,
  barelyFits,
  memoryUnknown,
  cannotRun,
}
const MARKED = [Group.assumed, Group.noLaunches]; // their estimates have a mark

/** `someFit`: the model is known to fit on at least one machine. */
function groupOf(row: MachineRow, someFit: boolean): Group {
  if (cannotRun(row)) return Group.cannotRun;
  if (myMachines.value.some(({ id }) => id === row.id)) return Group.mine;
  if (row.fit === 'tight') return Group.barelyFits;
  if (someFit && row.fits === null) return Group.memoryUnknown;
  if (!row.launch_known) return Group.noLaunches;
  return row.assumed ? Group.assumed : Group.benchmarked;
}

/** The heading of a group. */
const headingOf = (group: Group, rates: boolean) =>
  [
    'My machines',
    'Published benchmarks known',
    'No published benchmark known: the estimate assumes the efficiency of similar machines',
    `${withoutLaunches(rates)}: launch overhead is not known, so the estimate leaves it out`,
    'Barely fits: less of the memory stays free than the reserve',
    'Memory size not known',
    'Does not fit, or its formats are not supported',
  ][group]!;

/** What machines are ranked by. */
const figureOf = (row: MachineRow | undefined) => (row && eachOf(row, row.estimate ?? row.bound)) ?? null;

/** Of one machine: a language model may need several. */
const eachOf = ({ machines }: MachineRow, figure: number | null) => figure && figure / (machines ?? 1);

/** What speed-ups are over. */
interface Base {
  time_s: number | null;
  launch_known: boolean | undefined; // the time has launch overhead
}

/** As in the headline: over the current machine, or over the measured time; marked ≥ or ≤ if one of the two lacks launch overhead. */
const speedup = (base: Base, measured: boolean): AnswerColumn<MachineRow> => ({
  title: 'Speed-up',
  hint: measured ? 'Over the measured time, by the estimate' : 'Over the current machine, by the estimates',
  sort: { id: 'speedup', of: row => speedOf(figureOf(row), false) || null },
  value: row => (base.time_s && speedOf(figureOf(row), false) * base.time_s) || null,
  cell: row => {
    const limit = row.launch_known === base.launch_known ? '' : row.launch_known ? '≥ ' : '≤ ';
    const speed = speedOf(figureOf(row), false);
    return base.time_s && speed > 0 ? limit + times(speed * base.time_s) : NONE;
  },
});

/** Higher is faster; 0: not known. */
const speedOf = (figure: number | null, rates: boolean) => (!figure ? 0 : rates ? figure : 1 / figure);

/** Marked ≥, a lower bound, if the time excludes launch overhead. */
const price = ({ usd_per_million: usd, launch_known }: MachineRow) =>
  usd === null ? NONE : `${launch_known ? '' : '≥ '}$${number(usd)}`;
const PRICE = 'Purchase price spread over its years of use, or the price by the hour';

/** The number of machines that hold a language model; null: none, or not known. */
const fitsOn = ({ machines, fits }: MachineRow) => (fits === null ? null : machines);

/** Why a language model does not fit, or only barely; '': it fits. Shown below the name, so that columns of numbers stay narrow. */
function noteOf({ machines, fits, fit, tried, compute, barely_fits_on: barely }: MachineRow) {
  if (machines === null) {
    if (!compute) return 'formats unsupported';
    if (fit === 'context too long') return fit;
    if (fit !== 'does not fit') return `no link for ${tried}`;
    return tried === 1 ? 'does not fit' : `does not fit on ${tried} machines`;
  }
  if (fits === null) return 'memory size not known';
  if (barely) return `barely fits on ${barely}`;
  return fit === 'tight' ? `under ${percent(modelAnswer.value?.memory.reserve)} free` : '';
}

const NO_LAUNCH = 'Without launch overhead, which is not known for these machines';
/// Launches make a time longer, a rate lower.
const withoutLaunches = (rates: boolean) => (rates ? '≤' : '≥');

/** Marks an estimate whose machine was not measured, or that lacks launch overhead. */
function Estimate({ row, rates = false, children }: { row: MachineRow; rates?: boolean; children: string }) {
  const mark = !row.launch_known ? withoutLaunches(rates) : row.assumed ? 'about' : '';
  if (!mark || children === NONE) return <strong>{children}</strong>;
  return (
    <span title={row.launch_known ? 'No benchmark of this machine is known' : NO_LAUNCH}>
      <span class="muted">{mark} </span>
      <strong>{children}</strong>
    </span>
  );
}

const NAME: AnswerColumn<MachineRow> = {
  title: 'Machine',
  sort: { id: 'name', of: row => row.name, ascending: true },
  cell: row => row.name,
};

const MODEL: AnswerColumn<MachineRow>[] = [
  {
    title: 'Tokens/s per machine',
    sort: { id: 'estimate', of: figureOf },
    hint: 'The estimate; the list is ranked by it',
    cell: row => (
      <Estimate row={row} rates>
        {number(figureOf(row))}
      </Estimate>
    ),
  },
  {
    title: 'Fits on',
    sort: { id: 'machines', of: row => row.machines, ascending: true },
    hint: 'How many machines hold weights, cache and activations and keep the reserve free',
    value: row => fitsOn(row) ?? noteOf(row),
    cell: row => fitsOn(row) ?? NONE,
  },
  {
    title: 'Bound per machine',
    sort: { id: 'bound', of: row => eachOf(row, row.bound) },
    hint: 'The most that one machine allows, tokens/s',
    unit: 'tokens/s',
    cell: row => number(eachOf(row, row.bound)),
  },
  {
    title: 'Tokens/s together',
    sort: { id: 'together', of: row => row.estimate },
    hint: 'The estimate of all these machines',
    cell: ({ estimate }) => number(estimate),
  },
  {
    title: 'First token of a batch',
    sort: { id: 'ttft', of: row => row.typical_ttft_s ?? null, ascending: true },
    unit: 's',
    hint: 'When the prompts of the whole batch arrive at once, with all these machines',
    cell: ({ typical_ttft_s }) => seconds(typical_ttft_s),
  },
  {
    title: 'Per million tokens',
    unit: 'USD',
    sort: { id: 'price', of: row => row.usd_per_million, ascending: true },
    hint: PRICE,
    cell: price,
  },
  {
    title: 'Time per token',
    unit: 's',
    sort: { id: 'tpot', of: row => row.typical_tpot_s ?? null, ascending: true },
    hint: 'With all these machines',
    cell: ({ typical_tpot_s }) => seconds(typical_tpot_s),
  },
  {
    title: 'Energy per token',
    unit: 'J',
    sort: { id: 'energy', of: row => row.joules, ascending: true },
    hint: 'At the rated power',
    cell: ({ joules }) => si(joules, 'J'),
  },
];

const RUN: AnswerColumn<MachineRow>[] = [
  {
    title: 'Estimate',
    unit: 's',
    sort: { id: 'estimate', of: figureOf, ascending: true },
    hint: 'With overheads',
    cell: row => <Estimate row={row}>{seconds(row.typical_time_s)}</Estimate>,
  },
  {
    title: 'Bound',
    unit: 's',
    sort: { id: 'bound', of: row => row.bound, ascending: true },
    cell: ({ predicted_time_s }) => seconds(predicted_time_s),
  },
  {
    title: 'Fits',
    hint: 'Whether the largest operation fits the device memory',
    text: true,
    cell: ({ fits, compute }) =>
      fits === false ? 'does not fit' : !compute ? 'formats unsupported' : fits ? 'yes' : 'not known',
  },
  {
    title: 'Per million runs',
    unit: 'USD',
    sort: { id: 'price', of: row => row.usd_per_million, ascending: true },
    hint: PRICE,
    cell: price,
  },
  {
    title: 'Bound by',
    sort: { id: 'bound_by', of: row => row.bound_by || null, ascending: true },
    hint: BOUND_BY,
    text: true,
    cell: ({ bound_by }) => bound_by || NONE,
  },
  {
    title: 'Computes as',
    text: true,
    cell: ({ compute, fallback }) => (
      <>
        {compute ? formatName(compute) : NONE}
        {compute && fallback && <span class="muted"> (fallback)</span>}
      </>
    ),
  },
  {
    title: 'Ridge',
    unit: 'FLOP/B',
    sort: { id: 'ridge', of: row => row.ridge },
    cell: ({ ridge }) => number(scaled(ridge, units.value)),
  },
];
