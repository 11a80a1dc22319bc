// The open model in each mixture of llama-quantize: quality against speed, bytes, whether it fits. A click takes the mixture as the weights'
// format.
import type { Data } from 'plotly.js';
import { bytes, number, seconds } from '../format';
import { askQuantize, useAnswer } from '../core/ask';
import { readPalette } from '../plot/palette';
import { Chart } from '../plotly/Chart';
import { changeModel, modelRequest } from '../model/model';
import { changeView, viewState } from '../core/view';
import { NoAnswer } from '../widgets/AnswerFault';
import { AnswerTable } from '../widgets/AnswerTable';
import { ClipBox } from '../widgets/ClipBox';
import { Checkpoints, ownFormats, type Checkpoint } from './Checkpoints';
import { MODEL_TOOLS, modelBudgets, ModelPlan } from './ModelPlan';
import { chosenBudget, chosenTool, useModelPlan, type FormatPlan } from './plan';
import { MEMORY_COLUMN, sizeColumns, type QuantisedModel } from './weight_columns';

interface Mixture extends QuantisedModel {
  fits: boolean | null; // in memory; null: its capacity is not known
  kld: number | null;
  kld_low: number | null;
  kld_high: number | null;
  basis: 'measured' | 'derived' | 'predicted';
  fallback: string;
  pareto: boolean;
}
interface MixturesJson {
  mixtures: Mixture[];
  checkpoints: Checkpoint[];
  credit: string;
}

const ZERO_OFFSET = 0.4; // decades below the lowest positive divergence: where the log axis has its 0
const USUAL = 'Q4_K_M'; // the mixture that a budget begins with

const range = ({ kld_low: low, kld_high: high }: Mixture) =>
  low === high ? number(low) : `${number(low)} to ${number(high)}`;

/** A row and a point per mixture, the smallest first. */
export function Mixtures() {
  const imatrix = !viewState.value.noImatrix;
  const request = modelRequest.value;
  const own = request && ownFormats(request);
  const reply = useAnswer<MixturesJson>(
    'mixtures',
    request && { request: { ...request, ...own }, imatrix },
    askQuantize,
  );
  const known = reply && 'json' in reply ? reply.json : null;
  const chosen = request?.weights;
  const fields = modelBudgets(
    known?.mixtures.find(({ name }) => name === chosen) ?? known?.mixtures.find(({ name }) => name === USUAL),
  );
  const [budget, tool] = [chosenBudget(fields), chosenTool(MODEL_TOOLS)];
  const planned = useModelPlan(request && budget && { request, budget, tool, imatrix });
  const take = ({ name }: Mixture) => void changeModel({ ...own, weights: name, experts: undefined });
  if (!known) return <NoAnswer reply={reply} class="precision" />;
  const { mixtures, checkpoints, credit } = known;
  const plan = budget && planned && 'json' in planned ? planned.json.plan : null;
  return (
    <div class="precision">
      <div class="precision-controls">
        <label title="With an importance matrix, llama-quantize stores some tensors in other formats; without one the KLD may be higher">
          <input
            type="checkbox"
            checked={imatrix}
            onChange={event => changeView({ noImatrix: !event.currentTarget.checked })}
          />
          {' Made with an importance matrix'}
        </label>
      </div>
      <p class="precision-note muted">
        KLD: KL divergence from the 16-bit model, nats per token.{' '}
        {credit.replace('KLD: measurements of', 'Measurements:').replace(/[^.]$/, '$&.')}{' '}
        {mixtures.some(({ pareto }) => !pareto) &&
          'Grey: not Pareto-optimal, another is at least as fast and as accurate.'}
      </p>
      <div class="precision-body">
        <div class="precision-chart">
          <QualityChart mixtures={mixtures} chosen={chosen} plan={plan} onPick={take} />
        </div>
        <ClipBox class="precision-table" label="Mixtures by size">
          <AnswerTable
            rows={mixtures}
            keyOf={({ name }) => name}
            row={({ pareto, fallback }) => ({
              class: pareto ? '' : 'muted',
              title: [
                ...(pareto ? [] : ['Not Pareto-optimal: another mixture is at least as fast and as accurate']),
                ...(fallback ? [`Rows that are no whole blocks fall back: ${fallback}`] : []),
              ].join('\n'),
            })}
            columns={[
              ...sizeColumns<Mixture>('Mixture', { isChosen: ({ name }) => name === chosen, choose: take }),
              {
                title: 'KLD',
                cell: mixture => (
                  <span
                    title={
                      mixture.basis === 'measured'
                        ? 'By measurements of this model'
                        : mixture.basis === 'derived'
                          ? `By measurements of this model in each type; 80% of mixtures: ${range(mixture)}`
                          : `80% of models: ${range(mixture)}`
                    }
                  >
                    {number(mixture.kld)}
                  </span>
                ),
              },
              MEMORY_COLUMN,
            ]}
          />
          <Checkpoints checkpoints={checkpoints} />
        </ClipBox>
      </div>
      <ModelPlan fields={fields} tool={tool} reply={planned} />
    </div>
  );
}

interface ChartProps {
  mixtures: Mixture[];
  chosen: string | undefined;
  plan: FormatPlan | null;
  onPick: (mixture: Mixture) => void;
}

/** Whether the plan's mark would lie on the name of a mixture. */
const coveredBy = (plan: FormatPlan | null, { typical_tpot_s: time, kld }: Mixture) =>
  !!plan?.time_s &&
  !!plan.kld &&
  Math.abs(time! / plan.time_s - 1) < 0.1 &&
  Math.abs(Math.log10(kld! / plan.kld)) < 0.2;

/** Divergence against time per token; what does not fit is hollow. */
function QualityChart({ mixtures, chosen, plan, onPick }: ChartProps) {
  const palette = readPalette();
  const shown = mixtures.filter(({ kld, typical_tpot_s: time }) => kld !== null && time !== null);
  if (shown.length === 0) return null;
  const front = shown.filter(({ pareto }) => pareto).sort((a, b) => a.typical_tpot_s! - b.typical_tpot_s!);
  const times = [...shown.map(m => m.typical_tpot_s!), ...(plan?.time_s ? [plan.time_s] : [])];
  const [fastest, slowest] = [Math.min, Math.max].map(pick => 1000 * pick(...times));
  const [low, high] = [fastest! * 0.95, slowest! + 0.15 * (slowest! - fastest!)];
  const divergences = [...shown.flatMap(m => [m.kld_low!, m.kld_high!]), ...(plan?.kld ? [plan.kld] : [])]
    .filter(kld => kld > 0)
    .map(Math.log10);
  const lowest = divergences.length > 0 ? Math.min(...divergences) : -3;
  const hasZero = [...shown, plan].some(one => one?.kld === 0);
  const zeroPosition = 10 ** (lowest - ZERO_OFFSET);
  const drawn = (kld: number | null) => (kld === 0 ? zeroPosition : kld);
  const powers = Array.from({ length: 20 }, (_, i) => 10 ** (2 - i)).filter(power => power >= 10 ** lowest);
  const named = [...new Set([...shown.filter(m => m.name === chosen), ...front.filter(m => !coveredBy(plan, m))])];
  const data: Data[] = [
    {
      type: 'scatter',
      mode: 'lines',
      line: { color: palette.accent, width: 1.5, shape: 'hv' },
      hoverinfo: 'skip',
      showlegend: false,
      x: front.map(m => 1000 * m.typical_tpot_s!),
      y: front.map(m => drawn(m.kld)),
    },
    {
      type: 'scatter',
      mode: 'text+markers',
      showlegend: false,
      x: shown.map(m => 1000 * m.typical_tpot_s!),
      y: shown.map(m => drawn(m.kld)),
      marker: {
        size: shown.map(m => (m.name === chosen ? 13 : 9)),
        symbol: shown.map(m => (m.fits === false ? 'circle-open' : 'circle')),
        color: palette.accent,
      },
      error_y: {
        type: 'data',
        symmetric: false,
        array: shown.map(m => m.kld_high! - m.kld!),
        arrayminus: shown.map(m => m.kld! - m.kld_low!),
        color: palette.status.unknown,
        thickness: 1,
        width: 0,
      },
      textfont: { color: palette.ink },
      hovertext: shown.map(
        m => `${m.name}: ${bytes(m.weights_bytes)}, ${seconds(m.typical_tpot_s)} per token, KLD ${range(m)}`,
      ),
      hoverinfo: 'text',
      cliponaxis: false,
    },
  ];
  if (plan?.time_s)
    data.push({
      type: 'scatter',
      mode: 'text+markers',
      showlegend: false,
      x: [1000 * plan.time_s],
      y: [drawn(plan.kld)],
      marker: { size: 12, symbol: 'diamond', color: palette.ink },
      text: ['plan'],
      textposition: 'bottom left',
      textfont: { color: palette.ink },
      hovertext: [`Plan: ${bytes(plan.weights_bytes)}, ${seconds(plan.time_s)} per token, KLD ${number(plan.kld)}`],
      hoverinfo: 'text',
      cliponaxis: false,
    });
  return (
    <Chart
      label="KL divergence against time per token of every mixture; the table has the figures"
      data={data}
      names={{ trace: 1, order: named.map(m => shown.indexOf(m)), texts: shown.map(({ name }) => name) }}
      onClick={({ trace, index }) => trace === 1 && onPick(shown[index]!)}
      layout={{
        margin: { l: 64, r: 24, t: 12, b: 44 },
        xaxis: { title: { text: 'Time per token, ms (estimate)' }, range: [low, high] },
        yaxis: {
          title: { text: 'KLD, nats per token (lower is better)' },
          type: 'log',
          tickvals: [zeroPosition, ...powers],
          ticktext: ['0', ...powers.map(String)],
          range: [lowest - (hasZero ? 1.5 * ZERO_OFFSET : 0.15), Math.max(lowest, ...divergences) + 0.15],
        },
      }}
    />
  );
}
