// Heat map: operations by metrics, or two columns of the input against each other.
import { useCallback } from 'preact/hooks';
import { drawRowName, HEAD_PX, NAME_PX, ROW_PX, RowsPlot, type Visible } from '../plot/RowsPlot';
import { fitted, rect, type Surface } from '../plot/surface';
import { panelFrame } from '../core/engine';
import { opened } from '../sources/opened';
import type { Metric } from '../protocol';
import { useAnswer, type Reply } from '../core/ask';
import { METRICS, shades, show, showExactly, useListed } from './listed';
import { changeTable, changeView, selected, viewState } from '../core/view';
import { AnswerFault } from '../widgets/AnswerFault';
import { Choice } from '../widgets/Choice';
import { Select } from '../widgets/Select';

const MOST_CELL_PX = 160;

interface Cells {
  rows: string[];
  columns: string[];
  metric: (column: number) => Metric;
  value: (row: number, column: number) => number;
  shade: (row: number, column: number) => number;
  ops: (row: number, column: number) => number;
  current: number; // the selected row, -1: none
}

const PER_OP: Metric[] = ['intensity', 'achieved', 'efficiency', 'time'];

/** The heat map with its choice of rows, columns and metric. */
export function HeatMap() {
  const { heatRows, heatColumns, heatMetric } = viewState.value;
  const metric = METRICS.find(([id]) => id === heatMetric)?.[0] ?? 'achieved';
  const choices = [
    ...(opened.value?.columns ?? []).map(({ name }) => name),
    'type',
    'category',
    'format',
    'status',
    'bound by',
  ];
  const options = choices.map(name => [name, name] as const);
  const known = (name: string | undefined) => (name && choices.includes(name) ? name : ''); // another file has other columns
  const rows = known(heatRows);
  const other = known(heatColumns) || choices.find(name => name !== rows)!;
  const perOp = usePerOp(rows === '');
  const { cells: grouped, reply } = useGroups(rows, other, metric);
  const cells = rows === '' ? perOp : grouped;
  return (
    <div class="explore-view">
      <div class="view-controls">
        <label>
          Rows{' '}
          <Select
            label="Rows"
            value={rows}
            options={[['', 'each operation'], ...options]}
            onChange={name => changeView({ heatRows: name || undefined })}
          />
        </label>
        {rows !== '' && (
          <>
            <label>
              Columns{' '}
              <Select
                label="Columns"
                value={other}
                options={options}
                onChange={name => changeView({ heatColumns: name })}
              />
            </label>
            <Choice
              label="Metric"
              value={metric}
              options={METRICS}
              onChange={value => changeView({ heatMetric: value })}
            />
          </>
        )}
        <span class="muted">
          Darker = larger; {rows === '' ? 'each column' : 'all cells'} on one scale
          {rows !== '' && metric !== 'efficiency' ? ', logarithmic' : ''}.
        </span>
      </div>
      <AnswerFault reply={reply} />
      {cells && cells.rows.length === 0 && <p class="hint muted">No operations match.</p>}
      {cells && cells.rows.length > 0 && (
        <Grid cells={cells} choose={(row, column) => choose(rows, other, cells, row, column)} />
      )}
    </div>
  );
}

/** A click on an operation selects it; on a group it filters by the group: by type, category or a column of the input. */
function choose(rows: string, columns: string, cells: Cells, row: number, column: number) {
  if (rows === '') return void (selected.value = cells.ops(row, 0));
  const filters: Parameters<typeof changeTable>[0] = {};
  const keep = (name: string, word: string | undefined) => {
    if (word === undefined) return; // left of the columns
    if (opened.value?.columns.some(column => column.name === name))
      filters.where = { ...(filters.where ?? viewState.value.where), [name]: [word] };
    else if (name === 'type') filters.types = [word];
    else if (name === 'category') filters.categories = [word];
  };
  keep(rows, cells.rows[row]);
  keep(columns, cells.columns[column]);
  if (Object.keys(filters).length) changeTable(filters);
}

function usePerOp(wanted: boolean): Cells | null {
  const answer = useListed(wanted);
  if (!answer) return null;
  const { columns } = answer;
  const scales = PER_OP.map(metric => shades(metric, columns[metric as 'time']));
  const value = (row: number, column: number) => columns[PER_OP[column] as 'time'][row]!;
  return {
    rows: answer.names,
    columns: PER_OP.map(metric => METRICS.find(([id]) => id === metric)![1]),
    metric: column => PER_OP[column]!,
    value,
    shade: (row, column) => scales[column]!(value(row, column)),
    ops: row => columns.op[row]!,
    current: selected.value === null ? -1 : columns.op.indexOf(selected.value),
  };
}

interface Groups {
  rows: { words: string[] };
  columns: { words: string[] };
}

function useGroups(
  rows: string,
  columns: string,
  metric: Metric,
): { cells: Cells | null; reply: Reply<Groups> | null } {
  const revision = panelFrame.value?.revision;
  const reply = useAnswer<Groups>('heatmap', rows && revision ? { rows, columns, metric, revision } : null);
  if (!reply || 'error' in reply) return { cells: null, reply };
  const { value: values, ops } = reply.columns as { value: Float32Array; ops: Float32Array };
  const width = reply.json.columns.words.length;
  const scale = shades(metric, values);
  const value = (row: number, column: number) => values[row * width + column]!;
  return {
    reply,
    cells: {
      rows: reply.json.rows.words,
      columns: reply.json.columns.words,
      metric: () => metric,
      value,
      current: -1,
      shade: (row, column) => scale(value(row, column)),
      ops: (row, column) => ops[row * width + column]!,
    },
  };
}

function Grid({ cells, choose: pick }: { cells: Cells; choose: (row: number, column: number) => void }) {
  const count = cells.columns.length;
  const place = (width: number) => {
    const label = Math.min(NAME_PX, width * 0.4);
    return { label, cell: Math.min(MOST_CELL_PX, (width - label) / count) };
  };
  const columnAt = (x: number, width: number) => {
    const { label, cell } = place(width);
    const column = Math.floor((x - label) / cell);
    return x >= label && column < count ? column : -1;
  };
  const draw = useCallback(
    (surface: Surface, { first, last, y }: Visible) => {
      const { width, palette } = surface;
      const { label, cell } = place(width);
      const centred = { align: 'center', baseline: 'middle' } as const;
      for (let row = first; row < last; ++row) {
        const top = y(row);
        drawRowName(surface, cells.rows[row]!, top, label, row === cells.current);
        for (let column = 0; column < count; ++column) {
          const value = cells.value(row, column);
          const left = label + column * cell;
          if (!Number.isNaN(value)) {
            const opacity = 0.06 + 0.46 * cells.shade(row, column);
            rect(
              surface,
              { left, top, right: left + Math.max(1, cell - 1), bottom: top + ROW_PX - 1 },
              { fill: palette.status.normal, opacity },
            );
          }
          if (cell < 56) continue; // too narrow for numbers, which the hover shows
          const whole = show(cells.metric(column), value);
          const text =
            surface.textWidth(whole) <= cell - 6 ? whole : whole.replace(/(FLOP|MAC|OP|B)\/[sB]$/, '').trim(); // drops the unit before digits
          surface.text(fitted(surface, text, cell - 6), left + cell / 2, top + ROW_PX / 2, {
            ...centred,
            colour: Number.isNaN(value) ? palette.muted : palette.ink,
          });
        }
        if (row !== cells.current) continue;
        rect(
          surface,
          { left: label + 0.5, top: top + 0.5, right: label + cell * count - 1.5, bottom: top + ROW_PX - 1.5 },
          { stroke: palette.ink },
        );
      }
      rect(surface, { left: 0, top: 0, right: width, bottom: HEAD_PX }, { fill: palette.surface });
      if (cell >= 24)
        cells.columns.forEach((name, column) =>
          surface.text(fitted(surface, name, cell - 4), label + (column + 0.5) * cell, HEAD_PX / 2, centred),
        );
    },
    [cells],
  );
  const hint = (row: number, x: number, width: number) => {
    const column = columnAt(x, width);
    if (column < 0) return <strong>{cells.rows[row]}</strong>;
    const metric = cells.metric(column);
    return (
      <>
        <strong>{cells.rows[row]}</strong>
        {cells.columns[column]}: {showExactly(metric, cells.value(row, column))}
      </>
    );
  };
  return (
    <RowsPlot
      rows={cells.rows.length}
      label="Heat map"
      draw={draw}
      hint={hint}
      choose={(row, x, width) => pick(row, columnAt(x, width))}
    />
  );
}
