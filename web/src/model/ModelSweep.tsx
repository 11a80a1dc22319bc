// Sweeps the open model over batch, prompt, context or generation: a curve per compared format, attention, machine count or machine.
import { useMemo, useRef, useState } from 'preact/hooks';
import { count } from '../format';
import { useAnswer } from '../core/ask';
import { asOptions, formatName, formats, machines } from '../core/catalogue';
import { useFinding } from '../core/finding';
import type { Patch } from '../core/settings';
import { changeView, type ModelSweepView } from '../core/view';
import { CurveColours, seriesVariable } from '../plot/palette';
import { nearest, type Plane } from '../plot/plane';
import { Plot } from '../plot/Plot';
import { AnswerFault } from '../widgets/AnswerFault';
import { Icon } from '../widgets/Icon';
import { RangeSliders } from '../widgets/RangeSliders';
import { Select } from '../widgets/Select';
import type { Answer } from '../worker/messages';
import { changeModel, modelAnswer, modelRequest } from './model';
import { drawModelSweep } from './model_sweep_drawing';
import {
  AXES_OF,
  chosenSweep,
  COMPARED,
  METRICS,
  metricsOf,
  MOST_CURVES,
  ownValue,
  show,
  type AxisKey,
  type Columns,
  type SweepJson,
} from './model_sweep';
import { sweepFinding } from './scaling_finding';
import { RESOURCE_KINDS } from '../protocol';

const POINTS = 200;
const curveColours = new CurveColours();

/** The curves with their choice of axis, metric and comparison. */
export function ModelSweep() {
  const request = modelRequest.value;
  const [pointer, setPointer] = useState<number | null>(null);
  const plane = useRef<Plane | null>(null);
  const shown = chosenSweep(request ?? { model: '' });
  const { key, from, to, log, by, values, metric } = shown;
  const { measured: _, measured_s: __, ...stated } = request ?? { model: '' };
  // A context longer than the prompt would be taken for tokens that are cached before it.
  const withoutContext = request?.phase === 'prefill' && key === 'prompt' ? { context: undefined } : {};
  const asked = { ...stated, ...withoutContext };
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
  const colours = data ? curveColours.of(data.json.curves.map(({ label }) => label)) : [];
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
            id => [id, METRICS[id]!.name] as const,
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
      <AnswerFault reply={answer} />
      {data && (
        <>
          <ul class="crossings visually-hidden" aria-label="Findings per curve" aria-live="polite">
            {data.json.curves.map((curve, i) => (
              <li key={i}>
                <span class="dot" style={{ '--colour': seriesVariable(colours[i]!) }} />{' '}
                {curve.label && <strong>{curve.label}: </strong>}
                {curve.verdict}
              </li>
            ))}
          </ul>
          <div class="plot-frame">
            <Plot
              label={`${METRICS[metric]!.name} along ${key}`}
              onPoint={x => setPointer(x)}
              onPick={x => {
                const value = plane.current && Math.round(plane.current.x.value(x));
                if (value && value >= 1) void changeModel({ ...withoutContext, [key]: value });
              }}
              draw={surface =>
                (plane.current = drawModelSweep(surface, {
                  json: data.json,
                  columns: data.columns,
                  metric,
                  log,
                  current: request[key as AxisKey] ?? null,
                  hovered: at,
                  colours,
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
  const { unit, hasEstimate: estimated } = METRICS[metric]!;
  return sweepFinding({
    key: json.axis.key,
    label: curve.label,
    curves: json.curves.length,
    anyFits: json.curves.some((_, at) => columns[`fits${at}`]!.includes(1)),
    limits: curve.limits,
    fit: curve.fit,
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
  const all: (readonly [string, string, string?])[] =
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
  const { name, unit, hasEstimate } = METRICS[metric]!;
  const bounds = ['', ...RESOURCE_KINDS];
  return (
    <div class="readout" role="tooltip">
      <strong>
        {json.axis.key} {count(json.axis.values[at]!)}
      </strong>
      <dl>
        {json.curves.map((curve, i) => [
          <dt key={`${i}t`}>{curve.label || name}</dt>,
          <dd key={`${i}d`}>
            {show(columns[metric + i]![at]!, unit)}
            {hasEstimate && (
              <span class="muted"> (estimated {show(columns[`typical_${metric}${i}`]![at]!, unit)})</span>
            )}{' '}
            · {bounds[columns[`bound${i}`]![at]!]}
            {columns[`fits${i}`]![at] === 0
              ? ', does not fit'
              : curve.fits_to !== null && json.axis.values[at]! > curve.fits_to && ', barely fits'}
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
