// What a sweep of the open operator varies, and the core's answer to it.
import { count } from '../format';
import { viewState, type SweepRange, type SweepView } from '../core/view';
import { formatLabel, type Operator, type Parameter } from './operator';

export interface SweepJson {
  axes: number[][];
  formats: string[];
  resources: string[];
  crossings: { format: number; at: number; from: string; to: string }[];
  leads: LeadJson[]; // by the bounds; crossings and leads are of one axis
  typical_leads: LeadJson[]; // by the estimates
  fastest: number[][]; // over two parameters: the formats that are fastest somewhere, which the column `fastest` refers to
  refused: number;
}
/** From here to the next entry these formats are fastest. */
export interface LeadJson {
  from: number;
  formats: number[];
}
export type Columns = Record<string, Float32Array>;
export type Metric = NonNullable<SweepView['metric']>;

/** The parameters that can be swept: each number, each length of a shape, and the sizes of a square product together. */
export function sweepable({ parameters }: Operator): string[] {
  const single = Object.entries(parameters).flatMap(([key, value]) =>
    typeof value === 'number'
      ? [key]
      : Array.isArray(value) && value.every(item => typeof item === 'number')
        ? value.map((_, i) => `${key}.${i}`)
        : [],
  );
  return ['m', 'n', 'k'].every(key => single.includes(key)) ? [...single, 'm,n,k'] : single;
}

export function valueAt({ parameters }: Operator, key: string): number {
  const [name = '', index] = key.split('.');
  const value = parameters[name];
  const number = index === undefined ? value : Array.isArray(value) ? value[Number(index)] : undefined;
  return typeof number === 'number' ? number : 1;
}

export const rangeOf = (keys: string, now: Operator): SweepRange => ({
  keys: keys.split(','),
  from: 1,
  to: Math.max(4096, 2 * valueAt(now, keys.split(',')[0]!)),
});

/** Whether two axes move one parameter. */
export const overlap = (a: string, b: string) => a.split(',').some(key => b.split(',').includes(key));

/** The view's sweep, limited to what the operator allows. */
export function chosenSweep(now: Operator): SweepView | null {
  const able = sweepable(now);
  const chosen = viewState.value.sweep;
  const fits = (range: SweepRange | undefined): range is SweepRange =>
    range !== undefined && able.includes(range.keys.join(','));
  if (able.length === 0) return null;
  const x = fits(chosen?.x) ? chosen.x : rangeOf(able[0]!, now);
  const y = fits(chosen?.y) && !overlap(x.keys.join(), chosen.y.keys.join()) ? chosen.y : undefined;
  return { ...chosen, x, y } as SweepView;
}

const NAMES: Record<Metric, string> = { fastest: 'Fastest format', time: 'Time', rate: 'Rate', bound: 'Bound by' };

/** What the sweep can show: of curves the time and the rate, of a map also what is fastest and what bounds. */
export const metricsOf = ({ y }: SweepView, { formats }: Operator) =>
  (['fastest', 'time', 'rate', 'bound'] as const)
    .filter(metric => (metric === 'fastest' ? y && formats.length > 1 : y || metric !== 'bound'))
    .map(metric => [metric, NAMES[metric]] as const);

/** The choice of the view, or the first that the sweep can show. */
export const metricOf = (shown: SweepView, now: Operator) => {
  const offered = metricsOf(shown, now).map(([metric]) => metric);
  return offered.find(metric => metric === shown.metric) ?? offered[0]!;
};

/** The parameters with the values of a sweep's point. */
export function moved(now: Operator, values: [SweepRange, number][]): Record<string, Parameter> {
  const parameters = { ...now.parameters };
  for (const [{ keys }, value] of values)
    for (const key of keys) {
      const [name = '', index] = key.split('.');
      parameters[name] =
        index === undefined
          ? value
          : (parameters[name] as number[]).map((length, i) => (i === Number(index) ? value : length));
    }
  return parameters;
}

export const axisName = ({ keys }: SweepRange) => keys.join(' = ');

/** "FP16 is bound by compute from m = 166 up." */
export function findings({ crossings, refused, axes }: SweepJson, now: Operator, shown: SweepView) {
  const shapes = axes.reduce((product, values) => product * values.length, 1);
  const invalid = refused > 0 ? ` ${refused} of ${shapes} points are not valid shapes.` : '';
  if (shown.y)
    return `${count(shapes)} shapes in ${now.formats.length === 1 ? 'one format' : `${now.formats.length} formats`}. Click a cell to use its shape.${invalid}`;
  if (crossings.length === 0) return `The bound does not change along ${axisName(shown.x)}.${invalid}`;
  return (
    crossings
      .map(
        ({ format, at, to }) =>
          `${formatLabel(now.formats[format] ?? '')}: ${to}-bound from ${axisName(shown.x)} = ${count(at)} up.`,
      )
      .join(' ') + invalid
  );
}
