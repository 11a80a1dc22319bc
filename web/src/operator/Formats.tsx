// One operator in several formats, side by side. Speed-ups refer to a baseline, which a button chooses.
import { bytes, intensity, NONE, number, percent, range, seconds } from '../format';
import { useAnswer } from '../core/ask';
import { formatName } from '../core/catalogue';
import { machine, units } from '../core/engine';
import { formatLabel } from './operator';
import { change, settings } from '../core/settings';
import { changeView, selected, viewState } from '../core/view';
import { ClipBox } from '../widgets/ClipBox';

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
  typical: { conversion_s: number; wave_efficiency: number | null; cache: string | null };
  speedup: number | null;
  typical_speedup: number | null;
  fused_speedup: number | null;
  sqnr_db: number | null;
}

/** A row per format of the open operator. */
export function Formats() {
  const answer = useAnswer<{ baseline: number; rows: Row[] }>('formats', { baseline: viewState.value.baseline ?? 0 });
  if (!answer)
    return (
      <p class="comparison muted" role="status">
        Measuring the accuracy of each format…
      </p>
    );
  if ('error' in answer) return <p class="hint">{answer.error.message}</p>;
  const { baseline, rows } = answer.json;
  const converts = rows.some(({ typical }) => typical.conversion_s > 0);
  const waves = rows.some(({ typical }) => typical.wave_efficiency !== null);
  return (
    <ClipBox class="comparison" label="Formats side by side">
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">Format</th>
            <th scope="col">Computes as</th>
            <th scope="col" class="number">
              Bytes
            </th>
            <th scope="col" class="number">
              Intensity
            </th>
            <th scope="col">Bound by</th>
            <th scope="col" class="number">
              Bound
            </th>
            <th scope="col" class="number">
              Realistic
            </th>
            {waves && (
              <th scope="col" class="number">
                Waves occupied
              </th>
            )}
            <th scope="col" class="number" title="From the bounds">
              Speed-up
            </th>
            <th
              scope="col"
              class="number"
              title={
                converts
                  ? 'From separate conversion kernels to conversions fused into the neighbours'
                  : 'From the realistic times'
              }
            >
              Realistic speed-up
            </th>
            <th scope="col" class="number" title="Signal-to-quantisation-noise ratio for normally distributed numbers">
              SQNR
            </th>
            <th scope="col" />
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr
              key={row.index}
              aria-selected={row.index === selected.value}
              onClick={() => (selected.value = row.index)}
            >
              <th scope="row">{formatLabel(row.name)}</th>
              <td>
                {row.formats.compute ? formatName(row.formats.compute) : NONE}
                {row.fallback && <span class="muted"> (fallback)</span>}
              </td>
              <td class="number">{bytes(row.bytes)}</td>
              <td class="number">{intensity(row.intensity, units.value)}</td>
              <td>
                {row.bound_by || NONE}
                {row.typical.cache && (
                  <span
                    class="muted"
                    title={`The working set fits in ${row.typical.cache}. If it is still cached, the roof of the device memory does not apply`}
                  >
                    {' '}
                    (fits in {row.typical.cache})
                  </span>
                )}
              </td>
              <td class="number">{seconds(row.predicted_time_s)}</td>
              <td class="number">{seconds(row.typical_time_s)}</td>
              {waves && <td class="number">{percent(row.typical.wave_efficiency)}</td>}
              <td class="number">
                <strong>{range(row.speedup, row.speedup)}</strong>
              </td>
              <td class="number">
                {range(
                  Math.min(row.typical_speedup ?? 0, row.fused_speedup ?? 0),
                  Math.max(row.typical_speedup ?? 0, row.fused_speedup ?? 0),
                )}
              </td>
              <td class="number">{row.sqnr_db === null ? NONE : `${number(row.sqnr_db)} dB`}</td>
              <td>
                {row.index === baseline ? (
                  <span class="muted">baseline</span>
                ) : (
                  <button
                    type="button"
                    class="link"
                    onClick={event => (event.stopPropagation(), changeView({ baseline: row.index || undefined }))}
                  >
                    make baseline
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="muted">
        The bound assumes full overlap and peak rates. Realistic times add the overheads of the Change panel.
        {!machine.value?.launch_s && !settings.value.overhead?.launch_us && (
          <>
            {' '}
            They include no launch overhead, because this machine states none.{' '}
            <button
              type="button"
              class="link"
              onClick={() => change({ overhead: { ...settings.value.overhead, launch_us: 5 } })}
            >
              Add 5 µs per kernel
            </button>
          </>
        )}
        {converts && ' The lower realistic speed-up runs conversions as separate kernels, the higher one fuses them.'}
      </p>
    </ClipBox>
  );
}
