// Intensity and performance of each operation as bars side by side, in the table's order; the tick is what its roof would allow.
import { computed } from '@preact/signals';
import { useCallback } from 'preact/hooks';
import { frame, units } from '../state/engine';
import { selected } from '../state/view';
import { show, showExactly, useListed } from './listed';
import { fitted, ROW_PX, RowsCanvas, type Visible } from './RowsCanvas';

const LABEL_PX = 240;
const HEAD_PX = 24;
const GAP_PX = 24;

const redraw = computed(() => [selected.value, frame.value?.revision]);

export function SplitCharts() {
  const answer = useListed();
  const draw = useCallback((context: CanvasRenderingContext2D, { first, last, width, y, palette }: Visible) => {
    if (!answer) return;
    const { op, intensity, achieved, attainable } = answer.columns;
    const label = Math.min(LABEL_PX, width * 0.35);
    const panel = (width - label - 2 * GAP_PX) / 2;
    const left = [label, label + panel + GAP_PX];
    const most = [greatest(intensity), Math.max(greatest(achieved), greatest(attainable))];
    context.textBaseline = 'middle';
    for (let row = first; row < last; ++row) {
      const top = y(row);
      const current = op[row] === selected.peek();
      context.textAlign = 'right';
      context.fillStyle = current ? palette.ink : palette.muted;
      context.fillText(fitted(context, answer.names[row]!, label - 12), label - 6, top + ROW_PX / 2);
      [intensity, achieved].forEach((values, at) => {
        const value = values[row]!;
        context.textAlign = 'left';
        if (value > 0) {
          context.fillStyle = at === 0 ? palette.status.normal : palette.status['compute-bound'];
          context.globalAlpha = current ? 1 : 0.75;
          context.fillRect(left[at]!, top + 3, Math.max(1, (value / most[at]!) * (panel - 4)), ROW_PX - 6);
          context.globalAlpha = 1;
        }
        if (at === 1 && attainable[row]! > 0) {
          context.fillStyle = palette.roof;
          context.fillRect(left[1]! + (attainable[row]! / most[1]!) * (panel - 4) - 1, top + 1, 2, ROW_PX - 2);
        }
      });
    }
    context.fillStyle = palette.surface;
    context.fillRect(0, 0, width, HEAD_PX);
    context.textAlign = 'left';
    context.fillStyle = palette.ink;
    const title = (what: string, most: string) => {
      const whole = `${what}, to ${most}`;  // where there is no room, its unit tells what it is
      return context.measureText(whole).width <= panel ? whole : fitted(context, `to ${most}`, panel);
    };
    context.fillText(title('Intensity', show('intensity', most[0]!)), left[0]!, HEAD_PX / 2);
    context.fillText(title('Performance and roof', show('achieved', most[1]!)), left[1]!, HEAD_PX / 2);
  }, [answer, units.value]);
  if (!answer) return <div class="explore-view" />;
  const { op, intensity, achieved, attainable, efficiency } = answer.columns;
  const hint = (row: number) => (
    <>
      <strong>{answer.names[row]}</strong>
      <dl>
        <dt>Intensity</dt><dd>{showExactly('intensity', intensity[row]!)}</dd>
        <dt>Performance</dt><dd>{showExactly('achieved', achieved[row]!)}</dd>
        <dt>Roof</dt><dd>{showExactly('achieved', attainable[row]!)}</dd>
        <dt>Efficiency</dt><dd>{showExactly('efficiency', efficiency[row]!)}</dd>
      </dl>
    </>
  );
  return (
    <div class="explore-view">
      {answer.total > answer.names.length && <p class="muted view-controls">The first {answer.names.length.toLocaleString('en-US')} of {answer.total.toLocaleString('en-US')} in the table's order.</p>}
      {answer.names.length === 0 ? <p class="hint muted">No operation matches the filters.</p>
        : <RowsCanvas rows={answer.names.length} head={HEAD_PX} label="Split charts" redraw={redraw} draw={draw} hint={hint} choose={row => (selected.value = op[row]!)} />}
    </div>
  );
}

function greatest(values: Float32Array) {
  let most = 0;
  for (const value of values) if (value > most && Number.isFinite(value)) most = value;
  return most || 1;
}
