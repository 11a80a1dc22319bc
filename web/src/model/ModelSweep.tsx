// Sweeps the open model over batch, prompt, context or generation: a curve per compared format, attention, machine count or machine, with
// the change of bound and the limit of memory.
import { useMemo, useRef, useState } from 'preact/hooks';
import { count, number, seconds, si, timeTick } from '../format';
import { drawAxes, plotBox } from '../plot/axes';
import { drawCurve, drawGuide, drawKnot, drawLabel } from '../plot/curves';
import { DOTTED, drawCornerLegend, type LegendEntry } from '../plot/legend';
import { seriesColour, seriesVariable } from '../plot/palette';
import { nearest, planeOf, type Axis, type Plane } from '../plot/plane';
import { Plot } from '../plot/Plot';
import { drawLeads, leadsOf } from '../plot/leads';
import { line, type Surface } from '../plot/surface';
import { faultText, useAnswer } from '../core/ask';
import { asOptions, formatName, formats, machines } from '../core/catalogue';
import { machine } from '../core/engine';
import { useFinding } from '../core/finding';
import { changeModel, modelAnswer, modelRequest } from './model';
import type { ModelRequest } from './model_request';
import { sweepFinding } from './scaling_finding';
import type { Answer } from '../worker/messages';
import type { Patch } from '../core/settings';
import { changeView, viewState, type ModelSweepView } from '../core/view';
import { Icon } from '../widgets/Icon';
import { RangeSliders } from '../widgets/RangeSliders';
import { Select } from '../widgets/Select';

interface Curve {
  label: string;
  verdict: string;
  crossings: { at: number; from: string | null; to: string | null }[];
  fits_to: number | null;
  error_p90: number | null;
}
interface SweepJson {
  axis: { key: string; values: number[] };
  curves: Curve[];
}
type Columns = Record<string, Float32Array>;

const POINTS = 200;
const AXES = { batch: [1, 512], prompt: [16, 32768], context: [128, 131072], generate: [2, 4096] } as const;
type AxisKey = keyof typeof AXES;
const AXES_OF: Record<string, AxisKey[]> = {
  prefill: ['batch', 'prompt'],
  decode: ['batch', 'context', 'prompt'],
  generate: ['batch', 'prompt', 'generate'],
};

/** The parameters that curves can compare, and the first values of each. */
const COMPARED: Record<string, [string, string[]]> = {
  weights: ['weight formats', ['fp16', 'int8', 'int4_g128']],
  kv: ['cache formats', ['fp16', 'fp8_e4m3']],
  activations: ['activation formats', ['fp16', 'fp8_e4m3']],
  attention: ['attention', ['ideal', 'flash', 'unfused']],
  tp: ['tensor parallelism', ['1', '2', '4', '8']],
  machine: ['machines', ['a100-80gb-sxm', 'h100-sxm', 'b200-sxm', 'mi300x']],
};

/** Name, unit, and whether it has an estimate besides the bound. */
const METRICS: Record<string, [string, string, boolean]> = {
  tokens_per_s: ['Tokens/s', 'tokens/s', true],
  tokens_per_s_per_user: ['Tokens/s per user', 'tokens/s', true],
  tokens_per_s_per_machine: ['Tokens/s per machine', 'tokens/s', true],
  tpot_s: ['Time per token', 's', true],
  ttft_s: ['Time to first token', 's', true],
  total_s: ['Whole generation', 's', true],
  intensity: ['Intensity', 'FLOP/B', false],
  bytes_per_machine: ['Memory per machine', 'B', false],
  usd_per_million_tokens: ['Cost per million tokens', 'USD', false],
};

/** Which direction is better; undefined for intensity. */
const BETTER: Record<string, 'least' | 'most' | undefined> = {
  tokens_per_s: 'most',
  tokens_per_s_per_user: 'most',
  tokens_per_s_per_machine: 'most',
  tpot_s: 'least',
  ttft_s: 'least',
  total_s: 'least',
  bytes_per_machine: 'least',
  usd_per_million_tokens: 'least',
};

const metricsOf = (phase: string, priced: boolean) =>
  Object.keys(METRICS).filter(
    key =>
      (phase === 'generate' || key !== 'total_s') &&
      (phase !== 'prefill' || !['tpot_s', 'tokens_per_s_per_user'].includes(key)) &&
      (priced || key !== 'usd_per_million_tokens'),
  );

const show = (value: number, unit: string) =>
  unit === 's'
    ? seconds(value)
    : unit === 'FLOP/B'
      ? `${number(value)} FLOP/B`
      : unit === 'USD'
        ? `$${number(value)}`
        : unit === 'tokens/s'
          ? `${number(value)} tokens/s`
          : si(value, unit);

/** The request's own value of the compared parameter; null: none that could be a curve. */
function ownValue(request: ModelRequest, by: string): string | null {
  if (by === 'machine') return machines.value.find(({ id }) => id === machine.value?.id)?.id ?? null;
  const value = request[by as 'weights' | 'tp'];
  return value !== undefined ? String(value) : (COMPARED[by]?.[1][0] ?? null);
}

/** The view's choice, limited to what the phase allows. */
function choice(request: ModelRequest): Required<ModelSweepView> {
  const chosen: ModelSweepView = viewState.value.modelSweep ?? {};
  const able = AXES_OF[request.phase ?? 'decode']!;
  const key = able.includes(chosen.key as AxisKey) ? (chosen.key as AxisKey) : able[0]!;
  const [from, to] = AXES[key];
  const by = chosen.by === undefined ? 'weights' : chosen.by in COMPARED ? chosen.by : '';
  const metrics = metricsOf(request.phase ?? 'decode', modelAnswer.value?.usd_per_million_tokens != null);
  return {
    key,
    from: chosen.from ?? from,
    to: chosen.to ?? to,
    log: chosen.log !== false,
    by,
    values: withOwn(chosen.values?.length ? chosen.values : (COMPARED[by]?.[1] ?? []), ownValue(request, by)),
    metric: metrics.includes(chosen.metric ?? '') ? chosen.metric! : metrics[0]!,
  };
}

const MOST_CURVES = 8;

/** The request itself is always one of the curves. */
const withOwn = (values: string[], own: string | null) =>
  own === null || values.includes(own) ? values : [own, ...values].slice(0, MOST_CURVES);

/** The curves with their choice of axis, metric and comparison. */
export function ModelSweep() {
  const request = modelRequest.value;
  const [pointer, setPointer] = useState<number | null>(null);
  const plane = useRef<Plane | null>(null);
  const shown = choice(request ?? { model: '' });
  const { key, from, to, log, by, values, metric } = shown;
  const { measured: _, measured_s: __, ...asked } = request ?? { model: '' };
  const answer = useAnswer<SweepJson>(
    'model_sweep',
    request && {
      request: asked,
      axis: { key, from, to, log, points: POINTS },
      choices: by ? [{ key: by, values }] : [],
    },
  );
  const own = request ? ownValue(request, by) : null;
  const headline = useMemo(
    () =>
      answer && !('error' in answer) ? headlineOf(answer, metric, Math.max(0, values.indexOf(own ?? ''))) : undefined,
    [answer, metric],
  );
  useFinding(headline);
  if (!request) return null;
  const set = (part: Patch<ModelSweepView>) => changeView({ modelSweep: { ...shown, ...part } as ModelSweepView });
  const data = answer && !('error' in answer) ? answer : null;
  const xs = data?.json.axis.values ?? [];
  const at = pointer !== null && plane.current && data ? nearest(xs, plane.current.x, pointer) : null;
  const phase = request.phase ?? 'decode';
  return (
    <div class="sweep model-sweep">
      <div class="sweep-bar">
        <div class="sweep-range">
          <Select
            label="Along"
            value={key}
            options={AXES_OF[phase]!.map(axis => [axis, `along ${axis}`] as const)}
            onChange={axis => set({ key: axis, from: undefined, to: undefined })}
          />
          <RangeSliders from={from} to={to} log={log} onChange={set} />
        </div>
        <Select
          label="Show"
          value={metric}
          options={metricsOf(phase, modelAnswer.value?.usd_per_million_tokens != null).map(
            id => [id, METRICS[id]![0]] as const,
          )}
          onChange={id => set({ metric: id })}
        />
        <Select
          label="Compare"
          value={by}
          options={[
            ['', 'one curve'],
            ...Object.entries(COMPARED).map(([id, [name]]) => [id, `compare ${name}`] as const),
          ]}
          onChange={id => set({ by: id, values: undefined })}
        />
        {by && <Curves by={by} values={values} own={own} onChange={next => set({ values: next })} />}
      </div>
      {answer && 'error' in answer && <p class="hint error">{faultText(answer.error)}</p>}
      {data && (
        <>
          <ul class="crossings visually-hidden" aria-label="Findings per curve" aria-live="polite">
            {data.json.curves.map((curve, i) => (
              <li key={i}>
                <span class="dot" style={{ '--colour': seriesVariable(i) }} />{' '}
                {curve.label && <strong>{curve.label}: </strong>}
                {curve.verdict}
              </li>
            ))}
          </ul>
          <div class="plot-frame">
            <Plot
              label={`${METRICS[metric]![0]} along ${key}`}
              onPoint={x => setPointer(x)}
              onPick={x => {
                const value = plane.current && Math.round(plane.current.x.value(x));
                if (value && value >= 1) void changeModel({ [key]: value });
              }}
              draw={surface =>
                (plane.current = drawCurves(surface, {
                  json: data.json,
                  columns: data.columns,
                  metric,
                  log,
                  current: request[key as AxisKey] ?? null,
                  hovered: at,
                }))
              }
            />
            {at !== null && <Readout json={data.json} columns={data.columns} at={at} metric={metric} />}
          </div>
        </>
      )}
    </div>
  );
}

/** What the request's own curve says. */
function headlineOf({ json, columns }: Answer<SweepJson>, metric: string, own: number) {
  const curve = json.curves[own] ?? json.curves[0];
  if (!curve) return undefined;
  const i = json.curves.indexOf(curve);
  const [, unit, estimated] = METRICS[metric]!;
  return sweepFinding({
    key: json.axis.key,
    label: curve.label,
    verdict: curve.verdict,
    values: json.axis.values,
    fits: columns[`fits${i}`]!,
    fitsTo: curve.fits_to,
    figure: columns[`${estimated ? 'typical_' : ''}${metric}${i}`]!,
    show: value => show(value, unit),
    estimated,
  });
}

/** The compared values, to add and remove. */
interface CurvesProps {
  by: string;
  values: string[];
  own: string | null;
  onChange: (values: string[]) => void;
}

function Curves({ by, values, own, onChange }: CurvesProps) {
  const all: (readonly [string, string])[] =
    by === 'machine'
      ? asOptions(machines.value)
      : by === 'attention' || by === 'tp'
        ? [...new Set([...COMPARED[by]![1], '16', '32'])]
            .filter(value => by === 'tp' || !/\d/.test(value))
            .map(value => [value, value] as const)
        : asOptions(formats.value);
  const name = (value: string) =>
    by === 'machine'
      ? (all.find(([id]) => id === value)?.[1] ?? value)
      : by === 'attention' || by === 'tp'
        ? value
        : formatName(value);
  return (
    <ul class="chips" aria-label="Compared">
      {values.map(value => (
        <li key={value}>
          <button
            type="button"
            aria-label={value === own ? `${name(value)} yours` : `Remove ${name(value)}`}
            disabled={value === own || values.length === 1}
            onClick={() => onChange(values.filter(other => other !== value))}
          >
            {name(value)} {value === own ? <span class="muted">yours</span> : <Icon name="close" />}
          </button>
        </li>
      ))}
      {values.length < MOST_CURVES && (
        <li>
          <Select
            label="Add a curve"
            value=""
            options={[['', 'add…'], ...all.filter(([id]) => !values.includes(id))]}
            onChange={id => id && onChange([...values, id])}
          />
        </li>
      )}
    </ul>
  );
}

function Readout({ json, columns, at, metric }: { json: SweepJson; columns: Columns; at: number; metric: string }) {
  const [, unit, typical] = METRICS[metric]!;
  const bounds = ['', 'compute', 'memory', 'link'];
  return (
    <div class="readout" role="tooltip">
      <strong>
        {json.axis.key} {count(json.axis.values[at]!)}
      </strong>
      <dl>
        {json.curves.map((curve, i) => [
          <dt key={`${i}t`}>{curve.label || METRICS[metric]![0]}</dt>,
          <dd key={`${i}d`}>
            {show(columns[metric + i]![at]!, unit)}
            {typical && <span class="muted"> (estimated {show(columns[`typical_${metric}${i}`]![at]!, unit)})</span>} ·{' '}
            {bounds[columns[`bound${i}`]![at]!]}
            {columns[`fits${i}`]![at] === 0 && ', does not fit'}
          </dd>,
        ])}
      </dl>
      {json.curves.map(({ label, verdict }, i) => (
        <p key={i} class="muted">
          {label && `${label}: `}
          {verdict}
        </p>
      ))}
    </div>
  );
}

const MARGIN = 1.3; // above the highest and below the lowest value

interface Scene {
  json: SweepJson;
  columns: Columns;
  metric: string;
  log: boolean;
  current: number | null;
  hovered: number | null;
}

function drawCurves(surface: Surface, { json, columns, metric, log, current, hovered }: Scene): Plane {
  const { palette } = surface;
  const { key, values: xs } = json.axis;
  const [name, unit, hasTypical] = METRICS[metric]!;
  const kinds = hasTypical ? ['typical_', ''] : [''];
  const all = json.curves
    .flatMap((_, i) => kinds.flatMap(kind => [...columns[`${kind}${metric}${i}`]!]))
    .filter(value => value > 0 && Number.isFinite(value));
  const [low, high] = all.length ? [Math.min(...all), Math.max(...all)] : [1, 10];
  const x: Axis = { low: xs[0]!, high: xs[xs.length - 1]!, log, title: key };
  const plane = planeOf(
    x,
    {
      low: low / MARGIN,
      high: high * MARGIN,
      log: true,
      title: unit === 's' ? name : name.toLowerCase().startsWith(unit) ? name : `${name} (${unit})`,
      ...(unit === 's' && { label: timeTick }),
    },
    plotBox(surface),
  );
  const { box } = plane;
  drawAxes(surface, plane);
  surface.clip(box, () => {
    for (const at of [current, hovered === null ? null : xs[hovered]!]) if (at !== null) drawGuide(surface, plane, at);
    json.curves.forEach(({ error_p90 }, i) => {
      const fits = columns[`fits${i}`]!;
      const stroke = seriesColour(palette, i);
      for (const kind of kinds) {
        const values = columns[`${kind}${metric}${i}`]!;
        const paint = hasTypical && !kind ? { stroke, dash: [5, 4] } : { stroke, width: 2 };
        drawCurve(surface, plane, xs, at => (fits[at] ? values[at]! : NaN), paint);
        // Values that do not fit in memory are dotted.
        drawCurve(surface, plane, xs, at => (fits[at] && fits[at + 1] !== 0 ? NaN : values[at]!), {
          ...paint,
          dash: DOTTED,
        });
        // 90% of published runs are in this range.
        if (kind && error_p90 !== null)
          for (const factor of [1 - error_p90, 1 + error_p90])
            drawCurve(surface, plane, xs, at => (fits[at] ? values[at]! / factor : NaN), {
              stroke,
              width: 1,
              opacity: 0.35,
            });
      }
    });
    let lowest = -Infinity;
    json.curves.forEach(({ crossings, fits_to }, i) => {
      const colour = seriesColour(palette, i);
      const place = (at: number, kind = '') =>
        [
          plane.x.pixel(at),
          plane.y.pixel(
            columns[`${kind}${metric}${i}`]![
              Math.max(
                0,
                xs.findIndex(value => value >= at),
              )
            ]!,
          ),
        ] as const;
      for (const { at, to } of crossings) {
        const [px, py] = place(at);
        drawKnot(surface, px, py, colour);
        drawLabel(
          surface,
          plane,
          json.curves.length > 1 ? count(at) : `${to} from ${count(at)}`,
          px + 7,
          py - 8,
          colour,
        );
      }
      if (fits_to !== null && fits_to > 0) {
        const [px, py] = place(fits_to, kinds[0]);
        line(surface, px, py - 7, px, py + 7, { stroke: colour, width: 2 });
        lowest = Math.max(lowest + 14, py + 18); // no two labels at one height
        drawLabel(surface, plane, `fits to ${count(fits_to)}`, px + 6, lowest, colour);
      }
    });
    const better = BETTER[metric];
    if (better && json.curves.length > 1) {
      const fitting = (curve: number, i: number) =>
        columns[`fits${curve}`]![i] === 0 ? NaN : columns[`${kinds[0]!}${metric}${curve}`]![i]!;
      drawLeads(surface, plane, leadsOf(xs, json.curves.length, fitting, better === 'least'), xs[xs.length - 1]!);
    }
    const named = json.curves
      .map(({ label }, i): LegendEntry => ({ text: label, colour: seriesColour(palette, i), sample: 'line' }))
      .filter(({ text }) => text);
    const entries: LegendEntry[] = hasTypical
      ? [...named, { text: 'bound', colour: palette.muted, sample: 'dashed' }]
      : named;
    if (hasTypical && json.curves.some(({ error_p90 }) => error_p90 !== null))
      entries.push({ text: 'thin: range of 90% of published runs', colour: palette.muted, sample: 'thin' });
    if (json.curves.some((_, i) => columns[`fits${i}`]!.includes(0)))
      entries.push({ text: 'does not fit', colour: palette.muted, sample: 'dotted' });
    const points = kinds.flatMap(kind =>
      json.curves.flatMap((_, i) =>
        xs.map((at, j) => [plane.x.pixel(at), plane.y.pixel(columns[`${kind}${metric}${i}`]![j]!)] as const),
      ),
    );
    drawCornerLegend(surface, plane, entries, points);
  });
  return plane;
}
