// Speed-up and accuracy (SQNR) of every format, for the whole workload or one operation.
import type { Data } from 'plotly.js';
import type { SampleName } from '../protocol';
import { useState } from 'preact/hooks';
import type { PrecisionJson, TensorInfo } from '../../../wasm/session';
import { NONE, count, number, plural, range, seconds, signed } from '../format';
import { faultText } from '../core/ask';
import { readPalette, type Palette } from '../plot/palette';
import { Chart, escaped } from '../plotly/Chart';
import { formatName } from '../core/catalogue';
import { useAssumedNumbers } from './assumed_numbers';
import { usePrecision } from './precision_ask';
import { detail, panelFrame } from '../core/engine';
import { useGgufAccuracies } from './gguf';
import { isComplete, useOwnWeights, type OwnWeights } from './own_weights';
import { keptOf, measure, measured, measuring, tensorFault, tensorFile } from './tensors';
import { changeWhatIf, inAllOperands, OPERANDS, settings } from '../core/settings';
import { changeView, selected, viewState } from '../core/view';
import { Choice } from '../widgets/Choice';
import { PrecisionLayers, UNUSABLE_DB } from './PrecisionLayers';
import { AnswerTable } from '../widgets/AnswerTable';
import { ClipBox } from '../widgets/ClipBox';
import { Select } from '../widgets/Select';

type Candidate = PrecisionJson['formats'][number];

const USUAL_DB = 30; // SQNR that weights usually need

/** Distributions from which numbers are drawn, in place of those of the file. */
const SAMPLES = [
  ['gaussian', 'Gaussian'],
  ['student_t5', 'Heavy tails (Student t, 5)'],
  ['outlier_channels', 'Outlier channels'],
] as const satisfies readonly (readonly [SampleName, string])[];
const ROLES = [
  ['', 'All operands'],
  ['weights_activations', 'Weights and activations'],
  ['weights', 'Weights'],
] as const;

/** The chart and the table of formats, with the choice of numbers and operands. */
export function Precision() {
  const weights = useOwnWeights();
  const usual = weights ? 'weights' : 'gaussian';
  const { sample: asked = usual, roles, scope, thresholdDb: threshold = USUAL_DB, byLayer } = viewState.value;
  const own = asked === 'tensor' ? measured.value : null;
  const ofWeights = asked === 'weights' ? weights : null;
  const sample = asked === 'tensor' || asked === 'weights' ? 'gaussian' : asked;
  const op = scope === 'op' ? selected.value : null;
  const gguf = useGgufAccuracies(own || ofWeights ? null : sample);
  const asking = {
    revision: panelFrame.value?.revision, // another one where the filters change
    threshold_db: threshold,
    ...(roles && { roles }),
  };
  const numbers = {
    ...asking,
    ...(own ? { sqnr_db: keptOf(own) } : ofWeights ? { mean_of: ofWeights.tensors } : { sample, sqnr_db: gguf }),
  };
  const reply = usePrecision(byLayer ? null : { ...(op !== null && { op }), ...numbers });
  const distribution = own || ofWeights ? false : SAMPLES.find(([id]) => id === sample)![1];
  useAssumedNumbers(!byLayer && distribution);
  const [pointed, point] = useState<string | null>(null);
  const [unlikelyShown, showUnlikely] = useState(false);
  if (reply && 'error' in reply) return <p class="hint">{reply.error.message}</p>;
  const all = reply?.json.formats ?? [];
  const chosen = all.find(({ whatif }) => isChosen(whatif))?.id ?? null;
  const unlikely = all.filter(
    format => format.id !== chosen && (format.support === 'lacks' || !reaches(format, UNUSABLE_DB)),
  );
  const formats = unlikelyShown ? all : all.filter(format => !unlikely.includes(format));
  const choose = ({ id, whatif }: Candidate) =>
    changeWhatIf({ ...inAllOperands(undefined), ...(id !== chosen && whatif) });
  const shared = { formats, chosen, pointed, point, choose, threshold };
  return (
    <div class="precision">
      <div class="precision-controls">
        <label>
          Numbers{' '}
          <Select
            label="Numbers"
            value={(asked === 'tensor' && !tensorFile.value) || (asked === 'weights' && !weights) ? sample : asked}
            options={[
              ...(weights ? [['weights', "The file's weights"] as const] : []),
              ...SAMPLES,
              ...(tensorFile.value ? [['tensor', tensorFile.value.file.name] as const] : []),
            ]}
            onChange={id => changeView({ sample: id === usual ? undefined : id })}
          />
        </label>
        {asked === 'tensor' && <TensorChoice />}
        <label>
          Format of{' '}
          <Select label="Format of" value={roles ?? ''} options={ROLES} onChange={id => changeView({ roles: id })} />
        </label>
        <label title="Least accuracy (SQNR): usually 30 dB for weights, 40 dB for activations">
          At least{' '}
          <input
            type="number"
            aria-label="Least accuracy, dB"
            min={0}
            max={120}
            step={1}
            list="usual-db"
            value={threshold}
            onChange={event => {
              const next = event.currentTarget.valueAsNumber;
              changeView({ thresholdDb: next >= 0 && next !== USUAL_DB ? next : undefined });
            }}
          />{' '}
          dB
          <datalist id="usual-db">
            <option value="30" label="usual for weights" />
            <option value="40" label="usual for activations" />
          </datalist>
        </label>
        <Choice
          label="Formats"
          value={byLayer ? 'layers' : 'one'}
          options={[
            ['one', 'Same format everywhere'],
            ['layers', 'Per layer'],
          ]}
          onChange={next => changeView({ byLayer: next === 'layers' ? true : undefined })}
        />
        {!byLayer && (
          <label>
            Scope{' '}
            <Select
              label="Scope"
              value={scope ?? ''}
              options={[
                ['', 'all operations'],
                ['op', detail.value?.row.name ?? 'the selected operation'],
              ]}
              onChange={id => changeView({ scope: id })}
            />
          </label>
        )}
      </div>
      {ofWeights && <WeightsNote weights={ofWeights} />}
      {(!byLayer || asked === 'tensor') && <TensorNote shown={asked === 'tensor'} threshold={threshold} />}
      {!byLayer && unlikely.length > 0 && (
        <p class="muted precision-note">
          {count(unlikely.length)} {unlikely.length === 1 ? 'format' : 'formats'} below {UNUSABLE_DB} dB or not
          supported by this machine{' '}
          <button type="button" class="link" aria-expanded={unlikelyShown} onClick={() => showUnlikely(!unlikelyShown)}>
            {unlikelyShown ? 'hide' : 'show'}
          </button>
        </p>
      )}
      {byLayer ? (
        <PrecisionLayers
          request={ofWeights ? { ...numbers, tensors: ofWeights.tensors } : numbers}
          threshold={threshold}
          numbers={distribution}
          operands={ROLES.find(([id]) => id === (roles ?? ''))![1].toLowerCase()}
        />
      ) : (
        <div class="precision-body">
          <div class="precision-chart">
            <ParetoChart {...shared} />
          </div>
          <Table {...shared} />
        </div>
      )}
    </div>
  );
}

const isChosen = (whatif: Candidate['whatif']) =>
  OPERANDS.every(role => settings.value.whatif?.[role] === whatif[role]);

/** Whether a format keeps `db`; true if its accuracy is not known. */
const reaches = ({ exact, sqnr_db }: Candidate, db: number) => exact || sqnr_db === null || sqnr_db >= db;

/** Shared by the chart and the table. */
interface Shared {
  formats: Candidate[];
  threshold: number; // dB to keep
  chosen: string | null;
  pointed: string | null;
  point: (id: string | null) => void;
  choose: (format: Candidate) => void;
}

const decibels = ({ sqnr_db, exact }: Candidate) => (exact ? 'exact' : sqnr_db === null ? NONE : sqnr_db.toFixed(1));

function summary(format: Candidate) {
  const computes =
    format.computes_as && format.computes_as !== format.id ? `, computes as ${formatName(format.computes_as)}` : '';
  return `${format.name}: ${range(format.speedup_pessimistic, format.speedup_optimistic)}, ${decibels(format)}${format.exact ? '' : ' dB'}, bound ${seconds(format.predicted_time_s)}${computes}${format.weights_only ? ', weights only' : ''}`;
}

function Table({ formats, chosen, pointed, point, choose, threshold }: Shared) {
  const below = (format: Candidate) => !reaches(format, threshold);
  // Those below the threshold follow, then those of unknown accuracy.
  const unknown = ({ sqnr_db, exact }: Candidate) => Number(!exact && sqnr_db === null);
  const rows = [...formats].sort(
    (a, b) =>
      unknown(a) - unknown(b) ||
      Number(below(a)) - Number(below(b)) ||
      (b.speedup_optimistic ?? 0) - (a.speedup_optimistic ?? 0) ||
      (b.sqnr_db ?? 1e9) - (a.sqnr_db ?? 1e9),
  );
  return (
    <ClipBox class="precision-table" label="Formats by speed-up">
      {formats.length === 0 && (
        <p class="hint muted" role="status">
          Measuring the accuracy of each format…
        </p>
      )}
      <AnswerTable
        onMouseLeave={() => point(null)}
        rows={rows}
        keyOf={({ id }) => id}
        row={format => ({
          class: `${format.pareto && !below(format) ? 'front' : ''} ${below(format) ? 'muted' : ''} ${pointed === format.id ? 'pointed' : ''}`,
          title: summary(format),
          onMouseEnter: () => point(format.id),
        })}
        columns={[
          {
            title: 'Weights',
            cell: format => (
              <button type="button" class="link" aria-pressed={chosen === format.id} onClick={() => choose(format)}>
                {format.name}
              </button>
            ),
          },
          {
            title: formats.some(({ whatif }) => whatif.output) ? 'Activations, output' : 'Activations',
            text: true,
            cell: ({ whatif: { activation } }) =>
              activation ? formatName(activation) : <span class="muted">unchanged</span>,
          },
          { title: 'Speed-up', cell: format => range(format.speedup_pessimistic, format.speedup_optimistic) },
          {
            title: 'dB',
            hint: 'SQNR of the numbers in this format; a product of two quantised operands has about 3 dB less',
            cell: decibels,
          },
          { title: 'Bits', cell: ({ effective_bits }) => number(effective_bits) },
        ]}
      />
    </ClipBox>
  );
}

const MOST_TICKS = 7; // of the speed-ups
const MOST_DB = 100; // FP32 and exact formats share a line above: drawn to scale they would squeeze the rest
const LANE_DB = 8; // from the highest tick to that line

/** Speed-up against SQNR, one point per format, and the Pareto front. The table offers the same by keyboard. */
function ParetoChart({ formats, chosen, pointed, point, choose, threshold }: Shared) {
  const palette = readPalette();
  const beyond = ({ sqnr_db, exact }: Candidate) => exact || sqnr_db! > MOST_DB;
  const shown = formats.filter(
    ({ sqnr_db, exact, speedup_optimistic }) => (exact || sqnr_db !== null) && speedup_optimistic !== null,
  );
  const decibelsShown = shown.filter(format => !beyond(format)).map(({ sqnr_db }) => sqnr_db!);
  const ceiling = Math.ceil(Math.max(20, ...decibelsShown) / 10) * 10;
  const floor = Math.min(0, Math.floor(Math.min(0, ...decibelsShown) / 10) * 10);
  const y = (format: Candidate) => (beyond(format) ? ceiling + LANE_DB : format.sqnr_db!);
  const front = shown
    .filter(({ pareto }) => pareto)
    .sort((a, b) => a.speedup_optimistic! - b.speedup_optimistic! || y(b) - y(a));
  const emphasis = (format: Candidate) => format.id === pointed || format.id === chosen;
  const named = [...new Set([...shown.filter(emphasis), ...[...front].reverse()])];
  const data: Data[] = [
    {
      type: 'scatter',
      mode: 'lines',
      name: 'Pareto front',
      line: { color: palette.accent, width: 1.5, shape: 'vh' },
      hoverinfo: 'skip',
      x: front.map(({ speedup_optimistic }) => speedup_optimistic),
      y: front.map(y),
    },
    {
      type: 'scatter',
      mode: 'text+markers',
      showlegend: false,
      x: shown.map(({ speedup_optimistic }) => speedup_optimistic),
      y: shown.map(y),
      marker: {
        size: shown.map(format => (emphasis(format) ? 13 : 9)),
        symbol: shown.map(({ pareto }) => (pareto ? 'circle' : 'diamond')),
        color: shown.map(format => colourOf(format, chosen, threshold, palette)),
        opacity: 1,
        line: { color: shown.map(({ id }) => (id === pointed ? palette.ink : palette.surface)), width: 1.5 },
      },
      error_x: {
        type: 'data',
        symmetric: false,
        array: [],
        arrayminus: shown.map(
          format => format.speedup_optimistic! - (format.speedup_pessimistic ?? format.speedup_optimistic!),
        ),
        color: palette.status.unknown,
        thickness: 2,
        width: 0,
      },
      textfont: { color: palette.ink },
      hovertext: shown.map(format => escaped(summary(format))),
      hoverinfo: 'text',
      cliponaxis: false,
    },
  ];
  const decibelTicks = Array.from({ length: Math.floor((ceiling - floor) / 20) + 1 }, (_, i) => floor + 20 * i).filter(
    db => db < MOST_DB,
  );
  const speeds = [
    1,
    ...shown.flatMap(({ speedup_optimistic, speedup_pessimistic }) => [speedup_optimistic!, speedup_pessimistic ?? 1]),
  ];
  const [low, high] = [Math.log2(Math.min(...speeds)) - 0.15, Math.log2(Math.max(...speeds)) + 0.5];
  const every = Math.ceil((high - low) / MOST_TICKS);
  const [first, last] = [Math.ceil(low / every), Math.floor(high / every)];
  const speedTicks = Array.from({ length: last - first + 1 }, (_, i) => 2 ** (every * (first + i)));
  return (
    <Chart
      label="Speed-up against SQNR of every format; the table has the figures"
      data={data}
      names={{ trace: 1, order: named.map(format => shown.indexOf(format)), texts: shown.map(({ name }) => name) }}
      onClick={({ trace, index }) => trace === 1 && choose(shown[index]!)}
      onHover={at => point(at?.trace === 1 ? shown[at.index]!.id : null)}
      layout={{
        margin: { l: 52, r: 16, t: 24, b: 36 },
        showlegend: true,
        legend: { x: 1, xanchor: 'right' },
        xaxis: {
          type: 'log',
          range: [low, high].map(power => power * Math.log10(2)),
          tickvals: speedTicks,
          ticktext: speedTicks.map(speed => (speed < 1 ? `1/${1 / speed}x` : `${speed}x`)),
          tickangle: 0,
          title: { text: 'speed-up over current formats' },
        },
        yaxis: {
          range: [floor - 2, ceiling + 2 * LANE_DB],
          tickvals: [...decibelTicks, ceiling + LANE_DB],
          ticktext: [...decibelTicks.map(String), `> ${MOST_DB}`],
          title: { text: 'SQNR, dB' },
          zeroline: false,
        },
        shapes: [
          {
            type: 'line',
            x0: 1,
            x1: 1,
            yref: 'paper',
            y0: 0,
            y1: 1,
            layer: 'below',
            line: { color: palette.muted, width: 1, dash: 'dot' },
          },
          {
            type: 'line',
            xref: 'paper',
            x0: 0,
            x1: 1,
            y0: Math.min(threshold, ceiling + LANE_DB),
            y1: Math.min(threshold, ceiling + LANE_DB),
            layer: 'below',
            line: { color: palette.muted, width: 1, dash: 'dot' },
          },
        ],
      }}
    />
  );
}

const colourOf = (format: Candidate, chosen: string | null, threshold: number, { whatif, accent, status }: Palette) =>
  format.id === chosen ? whatif : reaches(format, threshold) ? accent : status.unknown;

const shapeOf = ({ shape }: Pick<TensorInfo, 'shape'>) => shape.join(' × ') || 'scalar';

function TensorChoice() {
  const file = tensorFile.value;
  if (!file || file.tensors.length < 2) return null;
  return (
    <label>
      Tensor{' '}
      <select
        aria-label="Tensor"
        class="tensor-choice"
        value={measuring.value ?? measured.value?.tensor.name ?? ''}
        onChange={event => void measure(event.currentTarget.value)}
      >
        {file.tensors.map(tensor => (
          <option key={tensor.name} value={tensor.name} disabled={!tensor.readable}>
            {tensor.name} ({shapeOf(tensor)}, {tensor.type})
          </option>
        ))}
      </select>
    </label>
  );
}

/** What the accuracies are measured on, and how far that has come. */
const WeightsNote = ({ weights }: { weights: OwnWeights }) => (
  <p class="muted precision-note" role="status">
    {isComplete(weights)
      ? `dB: measured on the file's weights, ${plural(weights.total, 'layer')}. `
      : `Measuring the file's weights: ${count(weights.measured)} of ${plural(weights.total, 'layer')}. `}
    The error of activations is not included: the file has none.
  </p>
);

function TensorNote({ shown, threshold }: { shown: boolean; threshold: number }) {
  if (!shown || !tensorFile.value)
    return (
      <p class="muted precision-note">
        Bold, and a circle on the chart: Pareto-optimal. Grey: below {threshold} dB. Drop a .npy, .npz or safetensors
        file to use your own numbers.
      </p>
    );
  if (tensorFault.value)
    return (
      <p class="precision-note" role="alert">
        {faultText(tensorFault.value)}
      </p>
    );
  if (measuring.value !== null || !measured.value)
    return (
      <p class="muted precision-note" role="status">
        Rounding {measuring.value || tensorFile.value.file.name}…
      </p>
    );
  const { elements, measured: rounded, not_finite, min, max, rms, ...tensor } = measured.value.tensor;
  return (
    <p class="muted precision-note">
      {shapeOf(tensor)} of {tensor.type}, from {signed(min)} to {signed(max)}, RMS {signed(rms)}
      {rounded < elements && `; ${count(rounded)} of ${count(elements)} elements, evenly sampled, were rounded`}
      {not_finite > 0 && `; ${count(not_finite)} are not finite and count as 0`}. It stays in this browser.
    </p>
  );
}
