// The figures of one operation, for the diagnosis and for its Markdown.
import type { Detail, RoofJson } from '../../../wasm/session';
import {
  NONE,
  bytes,
  intensity,
  percent,
  range,
  rate,
  seconds,
  si,
  times,
  unitsIn,
  work,
  type Maybe,
  type Units,
} from '../format';
import { formatName } from '../core/catalogue';
import { panelFrame } from '../core/engine';
import { describeFormats } from '../operator/operator';
import { timesAre } from '../sources/opened';
import { limiterOf, ranElsewhere } from '../plot/bounds';

/** The speed-up of a suggestion: by the estimate where there is one, else its range; where today's time is not known, the time. A low end
 * of 1 becomes "up to". */
export function gainOf({ typical_speedup, low, high, predicted_time_s }: Detail['suggestions'][number]) {
  if (typical_speedup !== null) return `about ${times(typical_speedup)}`;
  if (high === null) return `at least ${seconds(predicted_time_s)}`;
  return low === 1 ? `up to ${range(high, high)}` : range(low, high);
}

export interface DiagnosisLine {
  name: string;
  value: string;
  note: string;
  brief: boolean; // also in the chart's tooltip, which is short
}

/** The known figures, the most wanted first. */
export function figuresOf({ row, op }: Detail, shown: Units): DiagnosisLine[] {
  const { weight, activation, output, kv } = row.formats;
  const unit = unitsIn(shown, row.formats.compute);
  const figures: DiagnosisLine[] = [];
  const add =
    (brief: boolean) =>
    (name: string, value: string, note = '') =>
      figures.push({ name, value, note: value === NONE ? '' : note, brief });
  const put = add(true);
  const putDetail = add(false);
  const timed = row.time_s !== null;
  const elsewhere = timed && ranElsewhere();
  const judged = !elsewhere && !row.partly_known && row.predicted_time_s !== null;
  const typical = field(op, 'typical_time_s');
  if (timed) put('Time', seconds(row.time_s), timesAre());
  const least = row.partly_known ? 'at least ' : '';
  if (!elsewhere) put('Bound', least + seconds(row.predicted_time_s), row.bound_by ? `by ${row.bound_by}` : '');
  if (!elsewhere && typical !== null && typical !== row.predicted_time_s)
    putDetail('Estimate', seconds(typical), 'with overheads');
  if (timed && judged) putDetail('Above bound', seconds(row.lost_time_s), share(row.lost_time_s));
  if (row.efficiency !== null && judged) put('Efficiency', percent(row.efficiency), 'bound ÷ time');
  const limiter = limiterOf(row);
  if (timed && judged && limiter) put('Limited by', limiter, limiter === 'neither' ? 'overhead, waiting' : '');
  const attainable = row.attainable_flops;
  if (row.achieved_flops === null) put('Attainable', rate(attainable, unit), 'at its bound');
  else
    put(
      'Achieved',
      rate(row.achieved_flops, unit),
      !elsewhere && attainable !== null ? `of ${rate(attainable, unit)}` : '',
    );
  for (const [name, used] of judged ? entries(op, 'utilization') : [])
    if (name === 'compute') putDetail('Compute', percent(used), 'of the peak');
    else put(name, percent(used), bandwidthNote(name, row.achieved_bandwidth));
  put('Intensity', intensity(row.intensity, unit), '');
  putDetail('Work', work(row.flops, unit), row.formats.compute ? `as ${formatName(row.formats.compute)}` : '');
  putDetail('Bytes', row.bytes === null ? NONE : bytes(row.bytes), describeFormats([weight, activation, output, kv]));
  return figures;
}

/** A field of the op as in the JSON export. */
const field = (op: Record<string, unknown>, key: string) => (typeof op[key] === 'number' ? op[key] : null);
const entries = (op: Record<string, unknown>, key: string) =>
  Object.entries((op[key] ?? {}) as Record<string, number | null>).filter(
    (entry): entry is [string, number] => entry[1] !== null,
  );

function share(lost: Maybe) {
  const total = panelFrame.value?.json.all.lost_time_s;
  return lost != null && lost > 0 && total ? `${percent(lost / total)} of all time above the bound` : '';
}

function bandwidthNote(name: string, achieved: Maybe) {
  const roof = panelFrame.value?.json.roofs.find((r: RoofJson) => r.name === name && !r.whatif && !r.achievable);
  const device = panelFrame.value?.json.roofs.find(r => r.kind === 'memory');
  return roof && roof === device && achieved != null
    ? `${si(achieved, 'B/s')} of ${si(roof.rate, 'B/s')}`
    : 'of the bandwidth';
}
