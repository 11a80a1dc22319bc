// One operator in several formats, side by side. Speed-ups refer to a baseline, which a button chooses.
import { bytes, intensity, NONE, number, percent, range, seconds } from '../format';
import { useAnswer } from '../core/ask';
import { formatName } from '../core/catalogue';
import { units } from '../core/engine';
import { formatLabel, operator, formatIndex } from './operator';
import { changeView, selected, viewState } from '../core/view';
import { BOUND_BY } from '../plot/bounds';
import { AnswerFault } from '../widgets/AnswerFault';
import { AnswerTable } from '../widgets/AnswerTable';
import { ClipBox } from '../widgets/ClipBox';
import { SPEED_HINT, SpeedBar } from '../widgets/SpeedBar';

interface Row {
  index: number;
  name: string;
  fallback: boolean;
  formats: { compute: string | null };
  flops: number;
  bytes: number;
  intensity: number;
  bound_by: string;
  predicted_time_s: number | null;
  typical_time_s: number | null;
  compute_time_s: number | null; // at the peak
  typical: {
    compute_s: number | null;
    conversion_s: number;
    wave_efficiency: number | null;
    cache: string | null;
  };
  typical_speedup: number | null;
  fused_speedup: number | null;
  sqnr_db: number | null;
}

const speedOf = (time: number | null) => (time ? 1 / time : 0);

/** A row per format of the open operator. */
export function Formats() {
  const now = operator.value!;
  const answer = useAnswer<{ baseline: number; rows: Row[] }>('formats', {
    baseline: formatIndex(now, viewState.value.baseline),
  });
  if (!answer)
    return (
      <p class="comparison muted" role="status">
        Measuring the accuracy of each format…
      </p>
    );
  if ('error' in answer) return <AnswerFault reply={answer} />;
  const { baseline, rows } = answer.json;
  const converts = rows.some(({ typical }) => typical.conversion_s > 0);
  const fastest = Math.max(...rows.map(row => speedOf(row.predicted_time_s)));
  const waves = rows.some(({ typical }) => typical.wave_efficiency !== null);
  const reached = ({ compute_time_s, typical: { compute_s, wave_efficiency } }: Row) =>
    compute_time_s && compute_s ? compute_time_s / compute_s / (wave_efficiency ?? 1) : null;
  return (
    <ClipBox class="comparison" label="Formats side by side">
      <AnswerTable
        rows={rows}
        keyOf={({ index }) => index}
        row={({ index }) => ({
          'aria-selected': index === selected.value,
          onClick: () => (selected.value = index),
        })}
        columns={[
          { title: 'Format', cell: ({ name }) => formatLabel(name) },
          {
            title: 'Speed-up',
            hint: converts
              ? 'From the estimates: with separate conversion kernels, and with conversions fused into the neighbours'
              : 'From the estimates',
            cell: ({ typical_speedup: one, fused_speedup: other }) => (
              <strong>{one !== null && other !== null && one > other ? range(other, one) : range(one, other)}</strong>
            ),
          },
          {
            title: '',
            text: true,
            cell: ({ index }) =>
              index === baseline ? (
                <span class="muted">baseline</span>
              ) : (
                <button
                  type="button"
                  class="link"
                  onClick={event => (event.stopPropagation(), changeView({ baseline: now.formats[index] }))}
                >
                  make baseline
                </button>
              ),
          },
          {
            title: 'Speed',
            hint: SPEED_HINT,
            text: true,
            cell: row => (
              <SpeedBar
                estimate={speedOf(row.typical_time_s)}
                bound={speedOf(row.predicted_time_s)}
                whole={fastest}
                limit={row.bound_by}
              />
            ),
          },
          {
            title: 'SQNR',
            hint: 'Signal-to-quantisation-noise ratio for normally distributed numbers in the coarser format; a product of two quantised operands has about 3 dB less',
            value: ({ sqnr_db }) => sqnr_db,
            unit: 'dB',
            cell: ({ sqnr_db }) => (sqnr_db === null ? NONE : `${number(sqnr_db)} dB`),
          },
          { title: 'Estimate', value: row => row.typical_time_s, unit: 's', cell: row => seconds(row.typical_time_s) },
          { title: 'Bound', value: row => row.predicted_time_s, unit: 's', cell: row => seconds(row.predicted_time_s) },
          {
            title: 'Peak usually reached',
            hint: 'Of the peak of this format, as the estimate assumes; the bound assumes 100%',
            value: reached,
            cell: row => percent(reached(row)),
          },
          { title: 'Bound by', hint: BOUND_BY, text: true, cell: row => <BoundBy row={row} /> },
          {
            title: 'Computes as',
            text: true,
            cell: ({ formats, fallback }) => (
              <>
                {formats.compute ? formatName(formats.compute) : NONE}
                {fallback && <span class="muted"> (fallback)</span>}
              </>
            ),
          },
          { title: 'Bytes', value: row => row.bytes, unit: 'B', cell: row => bytes(row.bytes) },
          {
            title: 'Intensity',
            value: row => row.intensity,
            unit: 'FLOP/B',
            cell: row => intensity(row.intensity, units.value),
          },
          waves && {
            title: 'Tile efficiency',
            value: ({ typical }) => typical.wave_efficiency,
            cell: ({ typical }) => percent(typical.wave_efficiency),
          },
        ]}
      />
      <p class="muted">
        The bound assumes full overlap and peak rates. The estimate adds the overheads of the Change panel.
        {converts && ' The lower speed-up runs conversions as separate kernels, the higher one fuses them.'}
      </p>
    </ClipBox>
  );
}

function BoundBy({ row: { bound_by, typical } }: { row: Row }) {
  return (
    <>
      {bound_by || NONE}
      {typical.cache && (
        <span
          class="muted"
          title={`The working set fits in ${typical.cache}. If it is still cached, the roof of the device memory does not apply`}
        >
          {' '}
          (fits in {typical.cache})
        </span>
      )}
    </>
  );
}
