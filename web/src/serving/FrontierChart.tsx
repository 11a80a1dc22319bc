// The frontier's chart: shows the deployment under the pointer, and has handles for the limits.
import { useRef, useState } from 'preact/hooks';
import { count, number, seconds } from '../format';
import { Plot } from '../plot/Plot';
import { seriesVariable } from '../plot/palette';
import { contains } from '../plot/plane';
import { viewState } from '../core/view';
import { drawFrontier, SPEED_LIMIT, type Planes, type Spot } from './drawing';
import { changeServing, type Columns, type Deployment, type FrontierJson } from './frontier';
import { LimitHandle } from './LimitHandle';
import { limitName, type Metric } from './metrics';
import type { Ring } from './rings';
import { SERVING_LIMITS } from '../protocol';

interface Props {
  json: FrontierJson;
  columns: Columns;
  metric: Metric;
  rings: Ring[];
  picked: { machine: number; deployment: Deployment } | null;
}

const NEAR_PX = 16;
const TITLE_PX = 104; // of the axis, at its right end
const rounded = (value: number) => Number(value.toPrecision(3));

/** Throughput over speed, the time to first token below it. */
export function FrontierChart({ json, columns, metric, rings, picked }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const drawn = useRef<Planes | null>(null);
  const [planes, setPlanes] = useState<Planes | null>(null);
  const [hovered, setHovered] = useState<Spot | Ring | null>(null);
  const { tpotMax, ttftMax } = viewState.value.serving ?? {};
  const at = picked && placeOf(columns, picked.machine, picked.deployment);
  const known = hovered && ('speed' in hovered || hovered.point < (columns[`tp${hovered.machine}`]?.length ?? 0));
  const pointed = known ? hovered : null;
  const { box, x: speeds } = planes?.throughput ?? {};
  const speedLimit = box && speeds && clamp(tpotMax === undefined ? 0 : speeds.pixel(1 / tpotMax), box.left, box.right);
  return (
    <div class="plot-frame frontier-chart" ref={frame}>
      <Plot
        label={`${metric.label} over tokens per second per user; the table has the best deployments`}
        draw={surface => {
          const { clientWidth, clientHeight } = frame.current!;
          const away = Math.max(Math.abs(surface.width - clientWidth), Math.abs(surface.height - clientHeight));
          const onScreen = away < 1; // else it is an export
          const next = drawFrontier(surface, {
            json,
            columns,
            metric,
            limits: { tpotMax, ttftMax },
            named: !onScreen,
            rings,
            hovered: pointed,
            picked: at === null || at < 0 ? null : pickedPoint(json, columns, metric, picked!.machine, at),
          });
          if (!onScreen) return;
          const moved = !samePlanes(next, drawn.current);
          drawn.current = next;
          if (moved) setPlanes(next);
        }}
        onPoint={(x, y) =>
          setHovered(x === null ? null : nearestTo({ json, columns, metric, rings }, drawn.current, x, y))
        }
      />
      {planes && box && speedLimit !== undefined && (
        <>
          <LimitHandle
            label={SPEED_LIMIT}
            text={tpotMax === undefined ? 'no limit' : `${seconds(tpotMax)} per token`}
            across={false}
            set={tpotMax !== undefined}
            value={tpotMax ?? 0}
            place={{
              left: speedLimit,
              gripInset:
                speedLimit > (box.left + box.right) / 2 ? Math.max(0, speedLimit - (box.right - TITLE_PX)) : undefined,
              top: box.top,
              length: planes.wait.box.bottom - box.top,
              gap: { from: box.bottom, to: planes.wait.box.top },
            }}
            onMove={pixel => {
              const { box, x } = planes.throughput;
              const speed = x.value(Math.min(box.right, pixel));
              changeServing({ tpotMax: pixel <= box.left ? undefined : rounded(1 / speed) });
            }}
            onStep={steps => {
              const from = tpotMax ?? 1 / planes.throughput.x.axis.low;
              changeServing({ tpotMax: rounded(from * 0.95 ** steps) });
            }}
            onClear={() => changeServing({ tpotMax: undefined })}
          />
          <LimitHandle
            label="Longest time to first token"
            text={ttftMax === undefined ? 'no limit' : `${seconds(ttftMax)} to the first token`}
            across
            set={ttftMax !== undefined}
            value={ttftMax ?? 0}
            place={{
              left: planes.wait.box.left,
              top: clamp(
                ttftMax === undefined ? 0 : planes.wait.y.pixel(ttftMax),
                planes.wait.box.top,
                planes.wait.box.bottom,
              ),
              length: planes.wait.box.right - planes.wait.box.left,
            }}
            onMove={pixel => {
              const { box, y } = planes.wait;
              const time = y.value(Math.min(box.bottom, pixel));
              changeServing({ ttftMax: pixel <= box.top ? undefined : rounded(time) });
            }}
            onStep={steps => {
              const from = ttftMax ?? planes.wait.y.axis.high;
              changeServing({ ttftMax: rounded(from * 0.95 ** steps) });
            }}
            onClear={() => changeServing({ ttftMax: undefined })}
          />
        </>
      )}
      {pointed &&
        ('speed' in pointed ? (
          <RingReadout json={json} metric={metric} ring={pointed} />
        ) : (
          <Readout json={json} columns={columns} metric={metric} spot={pointed} />
        ))}
    </div>
  );
}

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value));

const samePlanes = (a: Planes | null, b: Planes | null) =>
  JSON.stringify(a && [a.throughput.box, a.throughput.x.axis, a.wait.box, a.wait.y.axis]) ===
  JSON.stringify(b && [b.throughput.box, b.throughput.x.axis, b.wait.box, b.wait.y.axis]);

/** A deployment's place among its machine's points. */
function placeOf(columns: Columns, machine: number, { tpot_s, concurrency, tokens_per_s_per_machine }: Deployment) {
  const [tpot, users, each] = ['tpot_s', 'concurrency', 'tokens_per_s_per_machine'].map(
    name => columns[name + machine]!,
  );
  return tpot!.findIndex(
    (time, i) =>
      time === Math.fround(tpot_s) &&
      users![i] === Math.fround(concurrency) &&
      each![i] === Math.fround(tokens_per_s_per_machine),
  );
}

const pickedPoint = (json: FrontierJson, columns: Columns, metric: Metric, machine: number, point: number) => ({
  machine,
  speed: columns[`tokens_per_s_per_user${machine}`]![point]!,
  value: metric.of(columns, machine, point, json),
});

/** The nearest ring or point to a pixel; null: none is near. */
function nearestTo(
  { json, columns, metric, rings }: Omit<Props, 'picked'>,
  planes: Planes | null,
  x: number,
  y: number,
): Spot | Ring | null {
  if (!planes) return null;
  const { throughput, wait } = planes;
  const above = contains(throughput, x, y);
  if (!above && !contains(wait, x, y)) return null;
  const plane = above ? throughput : wait;
  let best: Spot | Ring | null = null;
  let least = NEAR_PX ** 2;
  const offer = (speed: number, value: number, item: Spot | Ring) => {
    const away = (plane.x.pixel(speed) - x) ** 2 + (plane.y.pixel(value) - y) ** 2;
    if (away < least) [best, least] = [item, away];
  };
  for (const ring of rings) offer(ring.speed, above ? metric.ofRing(ring, json) : (ring.wait ?? NaN), ring);
  json.machines.forEach((_, machine) => {
    columns[`tokens_per_s_per_user${machine}`]!.forEach((speed, point) => {
      const value = above ? metric.of(columns, machine, point, json) : columns[`ttft_s${machine}`]![point]!;
      offer(speed, value, { machine, point });
    });
  });
  return best;
}

function RingReadout({ json, metric, ring }: { json: FrontierJson; metric: Metric; ring: Ring }) {
  return (
    <div class="readout" role="tooltip">
      <strong style={{ color: seriesVariable(ring.machine) }}>{json.machines[ring.machine]!.name}</strong>, measured
      {ring.lines.map(text => (
        <div key={text}>{text}</div>
      ))}
      <dl>
        <dt>{metric.label}</dt>
        <dd>{metric.show(metric.ofRing(ring, json))}</dd>
        <dt>Per user</dt>
        <dd>{number(ring.speed)} tokens/s</dd>
        <dt>Time to first token</dt>
        <dd>{seconds(ring.wait)}</dd>
      </dl>
    </div>
  );
}

function Readout({
  json,
  columns,
  metric,
  spot,
}: { json: FrontierJson; columns: Columns; metric: Metric; spot: Spot }) {
  const { machine, point } = spot;
  const of = (name: string) => columns[name + machine]![point]!;
  const { name, point_layouts: layouts } = json.machines[machine]!;
  const limit = SERVING_LIMITS[of('bound_by')] || 'unknown';
  const rows: [string, string][] = [
    [metric.label, metric.show(metric.of(columns, machine, point, json))],
    ['Per user', `${number(of('tokens_per_s_per_user'))} tokens/s`],
    ['Time per token', seconds(of('tpot_s'))],
    ['Time to first token', seconds(of('ttft_s'))],
    ['Users', count(Math.round(of('concurrency')))],
    ['Machines', count(of('machines'))],
    ['Limited by', limitName(limit)],
  ];
  return (
    <div class="readout" role="tooltip">
      <strong style={{ color: seriesVariable(machine) }}>{name}</strong>
      <div>{layouts[of('layout')]}</div>
      <dl>{rows.map(([term, text]) => [<dt key={`${term}t`}>{term}</dt>, <dd key={`${term}d`}>{text}</dd>])}</dl>
    </div>
  );
}
