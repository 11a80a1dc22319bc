// Intensity and performance of each operation as bars side by side, in the table's order; the tick marks the attainable performance.
import { count } from '../format';
import { useCallback } from 'preact/hooks';
import { drawRowName, HEAD_PX, NAME_PX, ROW_PX, RowsPlot, type Visible } from '../plot/RowsPlot';
import { fitted, rect, type Surface } from '../plot/surface';
import { units } from '../core/engine';
import { selected } from '../core/view';
import { show, showExactly, useListed } from './listed';

const GAP_PX = 24;

/** A row of two bars per operation. */
export function SplitCharts() {
  const answer = useListed();
  const draw = useCallback(
    (surface: Surface, { first, last, y }: Visible) => {
      if (!answer) return;
      const { width, palette } = surface;
      const { op, intensity, achieved, attainable } = answer.columns;
      const label = Math.min(NAME_PX, width * 0.35);
      const panel = (width - label - 2 * GAP_PX) / 2;
      const left = [label, label + panel + GAP_PX];
      const most = [greatest(intensity), Math.max(greatest(achieved), greatest(attainable))];
      for (let row = first; row < last; ++row) {
        const top = y(row);
        const current = op[row] === selected.peek();
        drawRowName(surface, answer.names[row]!, top, label, current);
        [intensity, achieved].forEach((values, at) => {
          const value = values[row]!;
          if (!(value > 0)) return;
          const right = left[at]! + Math.max(1, (value / most[at]!) * (panel - 4));
          rect(
            surface,
            { left: left[at]!, top: top + 3, right, bottom: top + ROW_PX - 3 },
            { fill: at === 0 ? palette.status.normal : palette.status['compute-bound'], opacity: current ? 1 : 0.75 },
          );
        });
        if (!(attainable[row]! > 0)) continue;
        const roof = left[1]! + (attainable[row]! / most[1]!) * (panel - 4);
        rect(
          surface,
          { left: roof - 1, top: top + 1, right: roof + 1, bottom: top + ROW_PX - 1 },
          { fill: palette.roof },
        );
      }
      rect(surface, { left: 0, top: 0, right: width, bottom: HEAD_PX }, { fill: palette.surface });
      const title = (what: string, greatestShown: string) => {
        const whole = `${what}, to ${greatestShown}`; // where there is no room, its unit tells what it is
        return surface.textWidth(whole) <= panel ? whole : fitted(surface, `to ${greatestShown}`, panel);
      };
      surface.text(title('Intensity', show('intensity', most[0]!)), left[0]!, HEAD_PX / 2, { baseline: 'middle' });
      surface.text(title('Performance and roof', show('achieved', most[1]!)), left[1]!, HEAD_PX / 2, {
        baseline: 'middle',
      });
    },
    [answer, units.value],
  );
  if (!answer) return <div class="explore-view" />;
  const { op, intensity, achieved, attainable, efficiency } = answer.columns;
  const hint = (row: number) => (
    <>
      <strong>{answer.names[row]}</strong>
      <dl>
        <dt>Intensity</dt>
        <dd>{showExactly('intensity', intensity[row]!)}</dd>
        <dt>Performance</dt>
        <dd>{showExactly('achieved', achieved[row]!)}</dd>
        <dt>Roof</dt>
        <dd>{showExactly('achieved', attainable[row]!)}</dd>
        <dt>Efficiency</dt>
        <dd>{showExactly('efficiency', efficiency[row]!)}</dd>
      </dl>
    </>
  );
  return (
    <div class="explore-view">
      {answer.total > answer.names.length && (
        <p class="muted view-controls">
          The first {count(answer.names.length)} of {count(answer.total)} in the table's order.
        </p>
      )}
      {answer.names.length === 0 ? (
        <p class="hint muted">No operations match.</p>
      ) : (
        <RowsPlot
          rows={answer.names.length}
          label="Small multiples"
          draw={draw}
          hint={hint}
          choose={row => (selected.value = op[row]!)}
        />
      )}
    </div>
  );
}

function greatest(values: Float32Array) {
  let most = 0;
  for (const value of values) if (value > most && Number.isFinite(value)) most = value;
  return most || 1;
}
