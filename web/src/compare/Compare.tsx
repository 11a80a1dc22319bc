// What changed from the run before to the open one: per operation or type, the largest change first, and in total.
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { CompareJson, FindingPart } from '../../../wasm/session';
import { percent, seconds, count } from '../format';
import { useAnswer } from '../core/ask';
import { useFinding } from '../core/finding';
import { endComparison, listedChanges, swapRuns } from './comparison';
import { panelFrame, timesOnly } from '../core/engine';
import { exportChanges } from '../share/exports';
import { complain, opened } from '../sources/opened';
import { typeCounts } from '../table/filters';
import { machineOf, machineOptions } from '../machine/machine_options';
import { settings } from '../core/settings';
import { changeView, viewState } from '../core/view';
import { AnswerFault } from '../widgets/AnswerFault';
import { Choice } from '../widgets/Choice';
import { Combobox } from '../widgets/Combobox';
import { ClipBox } from '../widgets/ClipBox';
import { IconButton } from '../widgets/IconButton';
import { Operations } from './Operations';
import { operationsOf } from './rows';
import { Types } from './Types';
import { LEAST_CHANGE } from '../protocol';

const STEP = 200;

/** The changes as a table, with totals. */
export function Compare() {
  const [rows, setRows] = useState(STEP);
  const { compareSort: sort, compareAscending: ascending, compareBy, unchanged = false } = viewState.value;
  const revision = panelFrame.value?.revision;
  useEffect(() => setRows(STEP), [opened.value, sort, ascending, compareBy, unchanged]);
  const reply = useAnswer<CompareJson>(
    'compare',
    opened.value?.before && revision ? { rows, unchanged, arrows: 0, revision } : null,
  );
  const json = reply && !('error' in reply) ? reply.json : null;
  useEffect(() => void (listedChanges.value = json && compareBy !== 'type' ? json.ops : []), [json, compareBy]);
  useEffect(() => () => void (listedChanges.value = []), []);
  useFinding(useMemo(() => (json ? totalsFirst(json) : undefined), [json]));
  if (!reply) return <div class="explore-view" />;
  if ('error' in reply) return <AnswerFault reply={reply} />;
  const { a, b, summary, all, filtered } = reply.json;
  const listed = operationsOf(summary);
  const hidden = summary.unchanged - summary.reformatted;
  const types = typeCounts().map(({ type }) => type);
  const byType = compareBy === 'type';
  const [shown, total] = byType
    ? [reply.json.by_type.length, reply.json.types]
    : [reply.json.ops.length, reply.json.total];
  return (
    <div class="explore-view compare">
      {filtered && (
        <div class="view-controls of-filters muted">
          {listed === 0
            ? 'No operation of either run matches. '
            : `Only operations that match the filters, ${count(listed)} of ${count(operationsOf(all))}. `}
          All operations: {all.headline}
        </div>
      )}
      <div class="view-controls">
        <span class="run-before">
          Before: <Run name={a.source} /> on <BeforeMachine name={a.machine} />
        </span>
        <IconButton icon="swap" label="Swap before and after" onClick={() => void swapRuns()} />
        <span class="run-after">
          After: <Run name={b.source} />
          {` on ${b.machine}`}
        </span>
        {summary.times === 'predicted' && <span class="muted">Predicted times.</span>}
        {settings.value.whatif && <span class="muted">The runs are compared without the what-if.</span>}
        <span class="fill" />
        <span class="list-by">
          List by
          <Choice
            label="List by"
            value={byType ? 'type' : 'operation'}
            options={[
              ['operation', 'Operation'],
              ['type', reply.json.sum_by === 'family' ? 'Family' : 'Type'],
            ]}
            onChange={by => changeView({ compareBy: by === 'type' ? by : undefined })}
          />
        </span>
        <button
          type="button"
          title="All rows of this table, in its order"
          onClick={() => void exportChanges(byType).catch((error: unknown) => complain('Export', error))}
        >
          Export CSV
        </button>
        <button type="button" onClick={() => void endComparison()}>
          End comparison
        </button>
      </div>
      <ClipBox class="compare-scroll" label="Changes">
        {byType ? <Types json={reply.json} types={types} /> : <Operations json={reply.json} types={types} />}
        {!byType && hidden > 0 && (
          <p class="hint">
            {count(hidden)} unchanged
            <span class="muted">
              {' '}
              ({seconds(summary.unchanged_time_s - summary.reformatted_time_s)} in all): within {percent(LEAST_CHANGE)}{' '}
              or the spread of repeated runs
            </span>
            {' · '}
            <button type="button" class="link" onClick={() => changeView({ unchanged: !unchanged })}>
              {unchanged ? 'hide' : 'show'}
            </button>
          </p>
        )}
        {shown < total && (
          <p class="hint">
            <button type="button" onClick={() => setRows(rows + 5 * STEP)}>
              Show more of {count(total)}
            </button>
          </p>
        )}
      </ClipBox>
    </div>
  );
}

/** The finding; if too few operations are in both runs, with the totals before it and how to match more after it. */
function totalsFirst({ finding, summary: { comparable, time_a_s, time_b_s } }: CompareJson): FindingPart[] {
  if (comparable || !time_a_s || !time_b_s) return finding;
  const [before, after, change] = [seconds(time_a_s), seconds(time_b_s), time_b_s / time_a_s - 1];
  return [
    {
      text: `${percent(Math.abs(change))} ${change > 0 ? 'more' : 'less'} time`,
      formula: `${after} after / ${before} before - 1`,
    },
    { text: `: ${before} before, ${after} after. ` },
    ...finding,
    ...(timesOnly.peek()
      ? [{ text: " Open each run with its model's graph or shapes: operations then also match by their work." }]
      : []),
  ];
}

const Run = ({ name }: { name: string }) => (
  <span class="run" title={name}>
    {name}
  </span>
);

/** The machine of the run before: its own, the later run's, or one chosen here. */
function BeforeMachine({ name }: { name: string }) {
  const own = { id: '', name: 'its own, else that of the later run' };
  return (
    <Combobox
      label="Machine of the run before"
      options={[own, ...machineOptions()]}
      value={name}
      onChange={id => changeView({ beforeMachine: id ? machineOf(id) : undefined })}
    />
  );
}
