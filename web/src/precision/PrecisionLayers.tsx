// A format per layer: the fastest with the wanted accuracy, and the speed-up of the mix at other thresholds.
import { useEffect } from 'preact/hooks';
import type { FindingPart } from '../../../wasm/session';
import { NONE, count, plural, range } from '../format';
import { readPalette } from '../plot/palette';
import { Chart } from '../plotly/Chart';
import { useAnswer, useBackgroundAnswer, useValueOfAnswer, type Reply } from '../core/ask';
import { formatName, formats } from '../core/catalogue';
import { useAssumedNumbers } from './assumed_numbers';
import { layersNote, layerTensors, measureLayers, measuringLayers, tensorFile } from './tensors';
import { changeView, selected } from '../core/view';
import { network } from '../network/network';
import { AnswerTable, type AnswerColumn } from '../widgets/AnswerTable';
import { ClipBox } from '../widgets/ClipBox';
import { layerName } from '../widgets/names';
import { NoAnswer } from '../widgets/AnswerFault';

/** Below this a format is offered only on request. */
export const UNUSABLE_DB = 15;

interface Layer {
  index: number;
  name: string;
  short_name?: string; // absent if equal to name: sizes in place of the shapes of all operands
  format: string; // "": unchanged
  sqnr_db: number | null;
  exact: boolean;
  own: boolean; // measured on the layer's own tensor
  limit: 'compute' | 'memory' | 'link' | 'neither' | 'unknown';
  speedup_optimistic: number | null;
  speedup_pessimistic: number | null;
}

interface Layers {
  layers: Layer[];
  total: number;
  own: number;
  curve: { threshold_db: number | null; speedup: number | null; formats: string[] }[]; // new at this point
  left_out: number;
  finding: FindingPart[];
}

interface Props {
  request: object; // numbers and operands as chosen in Precision
  roles: string | undefined; // the operands that take the formats
  threshold: number;
  numbers: string | false; // what is assumed of the numbers in `request`; false: they are those of a tensor
  chooseNumbers: () => void; // opens the choice of them
}

/** The layers with their formats, and the speed-up by threshold. */
export function PrecisionLayers({ request, roles = 'all', threshold, numbers, chooseNumbers }: Props) {
  const tensors = layerTensors.value;
  const reply = useAnswer<Layers>('precision_layers', { ...(tensors && { tensors }), ...request });
  const isAssumed = ({ own, total }: Layers) => own < total || roles !== 'weights';
  useAssumedNumbers(reply !== null && 'json' in reply && isAssumed(reply.json) && numbers, chooseNumbers);
  const lessAccurate = useLessAccurate(reply, request, threshold);
  const operands = OPERANDS_OF[useValueOfAnswer(reply, roles)];
  if (!reply || 'error' in reply) return <NoAnswer reply={reply} class="precision-body" />;
  const { layers, total, own, left_out } = reply.json;
  if (total === 0) return <p class="hint muted">No operation has an operand whose format can change.</p>;
  const shared = total - own;
  const [changed, unchanged] = [layers.filter(isChanged), layers.filter(layer => !isChanged(layer))];
  const columns: (AnswerColumn<Layer> | false)[] = [
    {
      title: 'Layer',
      cell: ({ index, name, short_name }) => (
        <button type="button" class="link" onClick={() => (selected.value = index)}>
          {layerName(short_name ?? name)}
        </button>
      ),
    },
    {
      title: 'Format',
      text: true,
      cell: layer =>
        layer.format ? (
          <>
            {formatName(layer.format)}{' '}
            <span class="muted">{isForWeights(layer.format) ? OPERANDS_OF.weights : operands}</span>
          </>
        ) : (
          <Unchanged why={lessAccurate && whyUnchanged(layer, lessAccurate.get(layer.index))} />
        ),
    },
    {
      title: 'Speed-up',
      cell: layer => (layer.format ? range(layer.speedup_pessimistic, layer.speedup_optimistic) : NONE),
    },
    own > 0 && {
      title: 'dB',
      hint: 'SQNR, dB',
      cell: ({ format, exact, own, sqnr_db }) => (
        <span title={own ? "measured on the layer's own tensor" : 'measured on the distribution chosen above'}>
          {format === '' ? NONE : exact ? 'exact' : sqnr_db!.toFixed(1)}
          {own && format !== '' && <span class="muted"> measured</span>}
        </span>
      ),
    },
  ];
  const points = reply.json.curve.filter(({ threshold_db, speedup }) => threshold_db !== null && speedup !== null);
  return (
    <div class="precision-body">
      {points.length > 0 && (
        <div class="precision-chart">
          <ThresholdChart points={points} threshold={threshold} />
        </div>
      )}
      <ClipBox class="precision-table" label="A format for each layer">
        <p class="hint muted">
          {own > 0 && `${count(own)} of ${count(total)} layers measured on their own tensors. `}
          {shared > 0 &&
            `${own > 0 ? 'The others use' : 'Accuracy is measured on'} the distribution chosen above${own > 0 ? '' : accuracyByFormat(layers)}. `}
          Longest layers first. Operations without weights, and those limited by neither compute nor memory, keep their
          formats. {left_out > 0 && `${count(left_out)} shorter layers are ignored. `}
          <LayerMeasurement layers={layers} />
        </p>
        {changed.length > 0 && <AnswerTable rows={changed} keyOf={keyOf} columns={columns} />}
        {unchanged.length > 0 && (
          <details open={changed.length === 0 && unchanged.length <= MAX_UNFOLDED_ROWS}>
            <summary>{plural(unchanged.length, 'unchanged layer')}</summary>
            <AnswerTable rows={unchanged} keyOf={keyOf} columns={columns} />
          </details>
        )}
        {total > layers.length && <p class="hint muted">{`and ${count(total - layers.length)} shorter layers`}</p>}
      </ClipBox>
    </div>
  );
}

const isChanged = ({ format }: Layer) => format !== '';
const keyOf = ({ index }: Layer) => index;
/** If no layer changed, up to this many rows are shown unfolded. */
const MAX_UNFOLDED_ROWS = 12;

/** The operands that take a format. */
const OPERANDS_OF: Record<string, string> = {
  all: 'in all operands',
  weights_activations: 'weights and activations',
  weights: 'weights',
};
const isForWeights = (id: string) => formats.value.some(format => format.id === id && format.weights_only === true);

/** ": INT8 40.7 dB", of layers that all use the same numbers. */
function accuracyByFormat(layers: Layer[]) {
  const texts = new Map(
    layers
      .filter(({ format }) => format !== '')
      .map(layer => [
        layer.format,
        `${formatName(layer.format)} ${layer.exact ? 'exact' : `${layer.sqnr_db!.toFixed(1)} dB`}`,
      ]),
  );
  return texts.size > 0 ? `: ${[...texts.values()].join(', ')}` : '';
}

/** The layers with a faster format that is less accurate than asked for, by index; asked only if a layer is unchanged. Null: not known yet. */
function useLessAccurate(reply: Reply<Layers> | null, request: object, threshold: number): Map<number, Layer> | null {
  const layers = reply && 'json' in reply ? reply.json.layers : [];
  const missing = threshold > UNUSABLE_DB && layers.some(({ format }) => format === '');
  const tensors = layerTensors.value;
  const relaxed = useBackgroundAnswer<Layers>(
    'precision_layers',
    missing ? { ...(tensors && { tensors }), ...request, threshold_db: UNUSABLE_DB } : null,
  );
  if (missing && !(relaxed && 'json' in relaxed)) return null;
  const faster =
    missing && relaxed && 'json' in relaxed ? relaxed.json.layers.filter(({ format }) => format !== '') : [];
  return new Map(faster.map(layer => [layer.index, layer]));
}

/** `instead`: a faster format, which is not as accurate as asked for. */
function whyUnchanged({ limit }: Layer, instead: Layer | undefined) {
  if (limit === 'neither') return 'neither compute nor memory limits it';
  if (limit === 'unknown') return 'what limits it is unknown';
  return instead
    ? `${formatName(instead.format)} is faster but has only ${instead.sqnr_db!.toFixed(1)} dB${instead.own ? ' measured' : ''}`
    : 'no format is faster';
}

const Unchanged = ({ why }: { why: string | null }) => (
  <>
    unchanged
    {why && <span class="muted">{`: ${why}`}</span>}
  </>
);

/** Measures the tensors of a dropped file that are named after layers, and shows the progress. */
function LayerMeasurement({ layers }: { layers: Layer[] }) {
  const file = tensorFile.value;
  const progress = measuringLayers.value;
  useEffect(() => {
    if (file && !layerTensors.peek()) void measureLayers(layers.map(({ name }) => name));
  }, [file]);
  if (!file && network.value) return null; // measured by own_weights.ts, or quantised already
  if (!file) return <>Drop a safetensors file to measure each layer on its own weights.</>;
  if (progress) return <>{`Measuring tensor ${progress.done + 1} of ${progress.total}…`}</>;
  return <span role="status">{layersNote.value}</span>;
}

/** The range of an axis, with room for markers and names at both ends. */
function paddedRange(values: number[]) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = 0.08 * (high - low || 1);
  return [low - room, high + room];
}

/** Least accuracy over speed-up of the mix: a step wherever a layer changes its format, with the new formats. */
function ThresholdChart({ points, threshold }: { points: Layers['curve']; threshold: number }) {
  const palette = readPalette();
  const texts = points.map(({ formats }) => formats.map(formatName).join(', '));
  const chosen = points.filter(({ threshold_db }) => threshold_db! >= threshold).length - 1; // their thresholds fall
  const named = points.flatMap((_, i) => (texts[i] ? [i] : []));
  const steps = { x: points.map(({ speedup }) => speedup!), y: points.map(({ threshold_db }) => threshold_db!) };
  return (
    <Chart
      label="Speed-up of the mix against the lowest SQNR of the changed layers; the table lists the layers"
      data={[
        {
          type: 'scatter',
          mode: 'lines',
          line: { color: palette.accent, width: 1.5, shape: 'vh' },
          hoverinfo: 'skip',
          ...steps,
        },
        {
          type: 'scatter',
          mode: 'text+markers',
          marker: {
            size: points.map((_, i) => (i === chosen ? 13 : 7)),
            color: points.map((_, i) => (i === chosen ? palette.whatif : palette.accent)),
            opacity: 1,
            line: { color: palette.surface, width: 1.5 },
          },
          textfont: { color: palette.ink },
          hovertemplate: 'at least %{y:.0f} dB: %{x:.2f}x<extra></extra>',
          cliponaxis: false,
          ...steps,
        },
      ]}
      names={{ trace: 1, order: named.includes(chosen) ? [chosen, ...named.filter(i => i !== chosen)] : named, texts }}
      onClick={({ index }) => changeView({ thresholdDb: Math.floor(points[index]!.threshold_db!) })}
      layout={{
        margin: { l: 52, r: 16, t: 24, b: 36 },
        showlegend: false,
        xaxis: {
          range: paddedRange([1, ...steps.x]),
          title: { text: 'speed-up at constant efficiency' },
          ticksuffix: 'x',
        },
        yaxis: {
          range: paddedRange([0, threshold, ...steps.y]),
          title: { text: 'lowest SQNR of the changed layers (dB)' },
          zeroline: false,
        },
        shapes: [
          {
            type: 'line',
            xref: 'paper',
            x0: 0,
            x1: 1,
            y0: threshold,
            y1: threshold,
            layer: 'below',
            line: { color: palette.muted, width: 1, dash: 'dot' },
          },
        ],
      }}
    />
  );
}
