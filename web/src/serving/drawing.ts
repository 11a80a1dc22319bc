// Draws the frontier: throughput over the speed of each user, and below it the time to first token.
import { seconds, tick, timeTick } from '../format';
import { drawAxes } from '../plot/axes';
import { drawCurve, drawLabel } from '../plot/curves';
import { seriesColour } from '../plot/palette';
import { planeOf, type Plane } from '../plot/plane';
import { Room, upright, type Place } from '../plot/room';
import { circle, line, rect, type Surface } from '../plot/surface';
import type { Columns, FrontierJson } from './frontier';
import { envelope, pointsOf, type Limits, type Metric } from './metrics';
import type { Ring } from './rings';

export interface Scene {
  json: FrontierJson;
  columns: Columns;
  metric: Metric;
  limits: Limits;
  named: boolean; // whether to label the limits: on the screen their handles do
  rings: Ring[];
  hovered: Spot | Ring | null;
  picked: { machine: number; speed: number; value: number } | null;
}

/** A point of a machine. */
export interface Spot {
  machine: number;
  point: number;
}

/** Where the two limits can be dragged. */
export interface Planes {
  throughput: Plane;
  wait: Plane; // time to first token
}

const LEFT = 60;
const RIGHT = 14;
const TOP = 24;
const BETWEEN = 30;
const BOTTOM = 36;
const WAIT_SHARE = 0.24; // of the height
const LOWEST_SPEED = 2; // tokens/s per user on the axis

const UNLIMITED: Limits = {};

/** The envelope of a machine's deployments, with or without separate machines for prefill. */
interface Front {
  machine: number;
  disaggregated: boolean;
  points: number[];
}

function frontsOf({ json, columns, metric }: Scene, limits: Limits): Front[] {
  return json.machines.flatMap((_, machine) =>
    [false, true].map(disaggregated => ({
      machine,
      disaggregated,
      points: envelope(
        pointsOf(columns, machine, disaggregated, limits),
        i => columns[`tokens_per_s_per_user${machine}`]![i]!,
        i => metric.of(columns, machine, i, json),
        metric.least,
      ),
    })),
  );
}

/** Draws all, and returns the planes; null: no machine has a point. */
export function drawFrontier(surface: Surface, scene: Scene): Planes | null {
  const { json, columns, metric, limits, named } = scene;
  const { palette } = surface;
  const speed = ({ machine, point }: Spot) => columns[`tokens_per_s_per_user${machine}`]![point]!;
  const wait = ({ machine, point }: Spot) => columns[`ttft_s${machine}`]![point]!;
  const value = ({ machine, point }: Spot) => metric.of(columns, machine, point, json);
  const error = (machine: number) => json.machines[machine]!.throughput_error ?? 0;

  // Axes are of all points, so that nothing moves while a limit is dragged.
  const all = frontsOf(scene, UNLIMITED);
  const spots = all
    .flatMap(({ machine, points }) => points.map(point => ({ machine, point })))
    .filter(spot => speed(spot) >= LOWEST_SPEED);
  if (spots.length === 0) return null;
  const [speeds, values, waits] = [speed, value, wait].map(of => spots.map(of));
  const x = {
    low: Math.min(...speeds!) * 0.95,
    high: Math.max(...speeds!) * 1.08,
    log: true,
  };
  const measured = scene.rings
    .map(ring => ({ ring, value: metric.ofRing(ring, json) }))
    .filter(({ value: measuredValue }) => measuredValue > 0);
  const high =
    Math.max(
      ...spots.map(spot => value(spot) * (1 + error(spot.machine))),
      ...measured.map(({ value: measuredValue }) => (metric.least ? 0 : measuredValue)),
    ) * 1.04;
  const { width, height } = surface;
  const middle = TOP + (height - TOP - BETWEEN - BOTTOM) * (1 - WAIT_SHARE);
  const box = { left: LEFT, right: width - RIGHT };
  const throughput = planeOf(
    { ...x, title: '', label: () => '' },
    {
      low: metric.least ? Math.min(...values!) / 1.3 : 0,
      high,
      log: metric.least,
      title: metric.label,
      label: v => (v === 0 ? '0' : tick(v)),
    },
    { ...box, top: TOP, bottom: middle },
  );
  const waiting = planeOf(
    { ...x, title: 'Tokens/s per user' },
    { low: Math.min(...waits!) / 1.3, high: Math.max(...waits!) * 1.3, log: true, title: '', label: timeTick },
    { ...box, top: middle + BETWEEN, bottom: height - BOTTOM },
  );
  for (const plane of [throughput, waiting]) drawAxes(surface, plane);
  surface.text('Time to first token', 8, middle + BETWEEN - 8);
  const speedLimit = shadeLimits(surface, { throughput, wait: waiting }, limits, named);

  const fronts = frontsOf(scene, limits);
  const colourOf = (machine: number) => seriesColour(palette, machine);
  const at = (plane: Plane, spot: Spot, of: (spot: Spot) => number) =>
    [plane.x.pixel(speed(spot)), plane.y.pixel(of(spot))] as const;
  const onFront = new Set(fronts.flatMap(({ machine, points }) => points.map(point => `${machine} ${point}`)));
  surface.clip(throughput.box, () => {
    json.machines.forEach((_, machine) => {
      columns[`tpot_s${machine}`]!.forEach((_, point) => {
        const spot = { machine, point };
        if (onFront.has(`${machine} ${point}`) || !(value(spot) > 0)) return;
        const [px, py] = at(throughput, spot, value);
        circle(surface, px, py, 1.5, { fill: colourOf(machine), opacity: 0.28 });
      });
    });
    for (const { machine, points } of fronts) drawBand(surface, throughput, scene, machine, points);
    for (const { machine, disaggregated, points } of fronts)
      drawCurve(
        surface,
        throughput,
        points.map(point => speed({ machine, point })),
        i => value({ machine, point: points[i]! }),
        { stroke: colourOf(machine), width: 2, ...(disaggregated && { dash: [6, 4] }) },
      );
  });
  surface.clip(waiting.box, () => {
    for (const { machine, disaggregated, points } of fronts)
      drawCurve(
        surface,
        waiting,
        points.map(point => speed({ machine, point })),
        i => wait({ machine, point: points[i]! }),
        { stroke: colourOf(machine), width: 1.5, ...(disaggregated && { dash: [6, 4] }) },
      );
  });
  drawNames(surface, throughput, scene, fronts, spot => at(throughput, spot, value), speedLimit);

  for (const { ring, value: measuredValue } of measured) {
    const paint = { stroke: colourOf(ring.machine), width: ring.own ? 2.5 : 1.5 };
    const radius = ring.own ? 6 : 3.5;
    const px = throughput.x.pixel(ring.speed);
    if (px < box.left || px > box.right) continue;
    surface.clip(throughput.box, () => circle(surface, px, throughput.y.pixel(measuredValue), radius, paint));
    const waited = ring.wait;
    if (waited !== null) surface.clip(waiting.box, () => circle(surface, px, waiting.y.pixel(waited), radius, paint));
  }
  const { hovered, picked } = scene;
  const knot = (px: number, py: number, machine: number, radius: number) =>
    Number.isFinite(py) && // without a price there is no place for it
    circle(surface, px, py, radius, { fill: palette.surface, stroke: colourOf(machine), width: 2.5 });
  if (picked) knot(throughput.x.pixel(picked.speed), throughput.y.pixel(picked.value), picked.machine, 6);
  if (hovered && 'speed' in hovered) {
    knot(throughput.x.pixel(hovered.speed), throughput.y.pixel(metric.ofRing(hovered, json)), hovered.machine, 5);
  } else if (hovered) {
    knot(...at(throughput, hovered, value), hovered.machine, 4);
    knot(...at(waiting, hovered, wait), hovered.machine, 4);
  }
  return { throughput, wait: waiting };
}

/** The median error of the estimate around an envelope. */
function drawBand(
  surface: Surface,
  { x, y }: Plane,
  { json, columns, metric }: Scene,
  machine: number,
  points: number[],
) {
  const error = json.machines[machine]!.throughput_error;
  if (error === null || points.length < 2) return;
  const trace = (factor: number) =>
    points.map(
      point =>
        [
          x.pixel(columns[`tokens_per_s_per_user${machine}`]![point]!),
          y.pixel(metric.of(columns, machine, point, json) * factor),
        ] as const,
    );
  // Cost and energy per token are inverse to the throughput.
  const [low, high] = metric.least ? [1 / (1 + error), 1 / (1 - error)] : [1 - error, 1 + error];
  surface.path(
    path => {
      [...trace(low), ...trace(high).reverse()].forEach(([px, py], i) =>
        i === 0 ? path.moveTo(px, py) : path.lineTo(px, py),
      );
      path.close();
    },
    { fill: seriesColour(surface.palette, machine), opacity: 0.12 },
  );
}

/** The handle of the limit on the time per token. */
export const SPEED_LIMIT = 'Longest time per token';

/** Draws the limits, and shades the part that they rule out. Returns the place of the speed limit's name. */
function shadeLimits(surface: Surface, { throughput, wait }: Planes, { tpotMax, ttftMax }: Limits, named: boolean) {
  const { palette } = surface;
  let name: Place | null = null;
  const paint = { fill: palette.muted, opacity: 0.1 };
  if (tpotMax !== undefined) {
    const right = Math.max(throughput.box.left, Math.min(throughput.box.right, throughput.x.pixel(1 / tpotMax)));
    for (const { box } of [throughput, wait]) {
      rect(surface, { ...box, right }, paint);
      line(surface, right, box.top, right, box.bottom, { stroke: palette.ink, width: 1.5 });
    }
    const text = `${seconds(tpotMax)} per token`;
    const style = { size: 10, halo: true, baseline: 'middle' } as const;
    if (named) {
      name = upright(right + 8, throughput.box.top + 14, surface.textWidth(text, style));
      surface.text(text, name.x, name.y, style);
    }
  }
  if (ttftMax !== undefined) {
    const { box, y } = wait;
    const bottom = Math.max(box.top, Math.min(box.bottom, y.pixel(ttftMax)));
    rect(surface, { ...box, bottom }, paint);
    line(surface, box.left, bottom, box.right, bottom, { stroke: palette.ink, width: 1.5 });
    if (named)
      surface.text(`${seconds(ttftMax)} to the first token`, box.right - 16, bottom + 4, {
        size: 10,
        align: 'right',
        halo: true,
      });
  }
  return name;
}

/** Each machine's name beside one of its envelopes: that with the most points in view. */
function drawNames(
  surface: Surface,
  plane: Plane,
  { json }: Scene,
  fronts: Front[],
  pixels: (spot: Spot) => readonly [number, number],
  speedLimit: Place | null,
) {
  const { box } = plane;
  const drawn = fronts.map(({ machine, points }) => ({
    machine,
    at: points.map(point => pixels({ machine, point })).filter(([x]) => x >= box.left),
  }));
  const lines = drawn.flatMap(({ at }) => at.slice(1).map(([x1, y1], i) => ({ x0: at[i]![0], y0: at[i]![1], x1, y1 })));
  const room = new Room(box, [], lines);
  for (const box of speedLimit?.covers ?? []) room.block(box);
  json.machines.forEach(({ name }, machine) => {
    const [named] = drawn.filter(front => front.machine === machine).sort((a, b) => b.at.length - a.at.length);
    const width = surface.textWidth(name, { weight: 500 });
    const places = (named?.at ?? []).flatMap(([x, y]) => [
      upright(x + 6, y - 10, width),
      upright(x - width - 6, y + 12, width),
    ]);
    const place = room.take(places);
    if (place) drawLabel(surface, plane, name, place.x, place.y + 4, seriesColour(surface.palette, machine));
  });
}
