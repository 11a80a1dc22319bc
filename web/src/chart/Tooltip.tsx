// The essentials of the operation under the cursor.
import { effect, signal } from '@preact/signals';
import type { Detail } from '../../../wasm/session';
import { core } from '../state/core';
import { frame, units } from '../state/engine';
import { intensity, percent, rate, seconds, si } from '../format';
import { Status } from '../widgets/Marker';

export const hovered = signal<{ op: number; x: number; y: number } | null>(null);
const glance = signal<{ op: number; revision: number; detail: Detail } | null>(null);

effect(() => {
  const op = hovered.value?.op;
  const revision = frame.value?.revision ?? 0;
  if (op === undefined || (glance.peek()?.op === op && glance.peek()?.revision === revision)) return;
  void core().glance(op).then(detail => {
    if (hovered.peek()?.op === op && !detail.error) glance.value = { op, revision, detail };
  });
});

export function Tooltip() {
  const at = hovered.value;
  const shown = glance.value;
  if (!at || !shown || shown.op !== at.op) return null;
  const { row, op } = shown.detail;
  const unit = units.value;
  const total = frame.value?.json.all.time_s;
  const intensities = Object.entries((op.intensity_by_memory ?? {}) as Record<string, number | null>).filter(([, value]) => value !== null);
  const traffic = Object.entries((op.bytes_by_memory ?? {}) as Record<string, number | null>).filter(([, bytes]) => bytes !== null);
  return (
    <div class="tooltip" role="status" style={{ '--x': `${at.x}px`, '--y': `${at.y}px` }} data-side={at.x > innerWidth / 3 ? 'left' : 'right'}>
      <strong>{row.name}{row.category === 'Program' && `, ${row.step}`}</strong>
      <div><Status status={row.status} />{row.count > 1 && ` · ${row.count} times`}</div>
      <dl>
        <dt>Bound by</dt><dd>{row.bound_by ?? 'not known'}</dd>
        {intensities.length > 1
          ? intensities.map(([name, value]) => <><dt>{name}</dt><dd>{intensity(value, unit)}</dd></>)
          : <><dt>Intensity</dt><dd>{intensity(row.intensity, unit)}</dd></>}
        {row.category !== row.type && <><dt>Category</dt><dd>{row.category}</dd></>}
        {row.labels && Object.entries(row.labels).filter(([, word]) => word).map(([name, word]) => <><dt>{name}</dt><dd>{word}</dd></>)}
        {row.time_s === null
          ? <><dt>Attainable</dt><dd>{rate(row.attainable_flops, unit)}</dd><dt>Bound</dt><dd>{seconds(row.predicted_time_s)}</dd></>
          : <>
              <dt>Achieved</dt><dd>{rate(row.achieved_flops, unit)} of {rate(row.attainable_flops, unit)} ({percent(row.efficiency)})</dd>
              <dt>Time</dt><dd>{seconds(row.time_s)}{total ? ` (${percent(row.time_s / total)})` : ''}</dd>
              {traffic.map(([name, bytes]) => <><dt>{name}</dt><dd>{si(bytes! / row.time_s!, 'B/s')}</dd></>)}
            </>}
      </dl>
    </div>
  );
}
