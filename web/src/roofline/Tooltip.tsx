// The tooltip of the operation or measured run under the cursor.
import { effect, signal } from '@preact/signals';
import { Fragment } from 'preact';
import type { Detail } from '../../../wasm/session';
import { core } from '../core/core';
import { panelFrame, units } from '../core/engine';
import { opened } from '../sources/opened';
import { measuredPoints } from '../model/model';
import { rowName } from '../operator/operator';
import { tourStep } from '../help/tour_step';
import { count, intensity, NONE, percent, rate, seconds, si, unitsIn } from '../format';
import { figuresOf } from '../inspector/figures';
import { hasStatus } from '../plot/bounds';
import { HoverCard, type Anchor } from '../plot/HoverCard';
import { Status } from '../widgets/Marker';

export const hovered = signal<(Anchor & { op: number }) | null>(null);
/** The measured run under the cursor: its index in measuredPoints. */
export const hoveredTarget = signal<(Anchor & { target: number }) | null>(null);
const glance = signal<{ op: number; revision: number; detail: Detail } | null>(null);

/** Hides the tooltip. */
export function hideTooltip() {
  hovered.value = hoveredTarget.value = null;
}

effect(() => {
  void [opened.value, tourStep.value]; // a new source or tour step appears under a resting pointer
  hideTooltip();
});

effect(() => {
  const op = hovered.value?.op;
  const revision = panelFrame.value?.revision ?? 0;
  if (op === undefined || (glance.peek()?.op === op && glance.peek()?.revision === revision)) return;
  void core()
    .glance(op)
    .then(detail => {
      if (hovered.peek()?.op === op && !detail.error) glance.value = { op, revision, detail };
    });
});

function MeasuredTooltip() {
  const at = hoveredTarget.value;
  const point = at && measuredPoints.value[at.target];
  if (!point) return null;
  const unit = units.value;
  return (
    <HoverCard {...at}>
      <strong>{point.name}</strong>
      <div>
        measured{point.phase && `, ${point.phase}`} · {point.bottleneck}
      </div>
      <dl>
        {point.time_s !== null && (
          <>
            <dt>Time</dt>
            <dd>
              {seconds(point.time_s)}, bound {seconds(point.predicted_time_s)}
            </dd>
          </>
        )}
        <dt>Intensity</dt>
        <dd>{intensity(point.intensity, unit)}</dd>
        <dt>Achieved</dt>
        <dd>
          {rate(point.achieved_flops, unit)} of {rate(point.attainable_flops, unit)} ({percent(point.efficiency)})
        </dd>
        <dt>Bandwidth</dt>
        <dd>{si(point.achieved_bandwidth, 'B/s')}</dd>
        <dt>MFU, MBU</dt>
        <dd>
          {percent(point.mfu)}, {percent(point.mbu)}
        </dd>
      </dl>
    </HoverCard>
  );
}

/** The tooltip of the point under the cursor. */
export function Tooltip() {
  const at = hovered.value;
  if (hoveredTarget.value) return <MeasuredTooltip />;
  const shown = glance.value;
  if (!at || !shown || shown.op !== at.op) return null;
  const { row, op } = shown.detail;
  const unit = unitsIn(units.value, row.formats.compute);
  const intensities = Object.entries((op.intensity_by_memory ?? {}) as Record<string, number | null>).filter(
    ([, value]) => value !== null,
  );
  const byMemory = intensities.length > 1;
  const figures = figuresOf(shown.detail, units.value).filter(
    ({ name, value, brief }) => brief && value !== NONE && !(byMemory && name === 'Intensity'),
  );
  const rows = [
    ...figures.map(({ name, value, note }) => [name, value, note]),
    ...(byMemory ? intensities.map(([name, value]) => [`Intensity, ${name}`, intensity(value, unit)]) : []),
    ...(row.category === row.type ? [] : [['Category', row.category]]),
    ...Object.entries(row.labels ?? {}).filter(([, word]) => word),
  ];
  return (
    <HoverCard {...at}>
      <strong>
        {rowName(row)}
        {row.category === 'Program' && `, ${row.step}`}
      </strong>
      <div>
        {hasStatus(row) && <Status of={row} />}
        {row.count > 1 && ` · ${count(row.count)} times`}
      </div>
      <dl>
        {rows.map(([name, text, note], i) => (
          <Fragment key={i}>
            <dt>{name}</dt>
            <dd>
              {text} {note && <span class="muted">{note}</span>}
            </dd>
          </Fragment>
        ))}
      </dl>
    </HoverCard>
  );
}
