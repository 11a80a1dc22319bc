// A plan for the open network: the format of each layer within a budget of accuracy, time or bytes.
import { bytes, count, NONE, seconds } from '../format';
import { formatName } from '../core/catalogue';
import { panelFrame } from '../core/engine';
import { useFinding } from '../core/finding';
import { changeView } from '../core/view';
import { network, networkChoices } from '../network/network';
import { AnswerTable } from '../widgets/AnswerTable';
import { ClipBox } from '../widgets/ClipBox';
import { layerName } from '../widgets/names';
import { useAssumedNumbers } from '../precision/assumed_numbers';
import { BudgetBar } from './BudgetBar';
import { chosenBudget, chosenTool, useNetworkPlan, type BudgetField } from './plan';
import { PlanExport } from './PlanExport';
import { DEFAULT_MIN_SQNR_DB } from '../protocol';

const TOOLS = [
  ['onnxruntime', 'ONNX Runtime'],
  ['nncf', 'NNCF'],
  ['llm-compressor', 'llm-compressor'],
  ['json', 'JSON'],
] as const;
const MOST_ROWS = 500;

const half = (value: number | null | undefined) => (value == null ? null : Number((value / 2).toPrecision(3)));

/** The view. */
export function NetworkPlan() {
  const open = network.value;
  const fields = (today_s = panelFrame.value?.json.all.predicted_time_s): BudgetField[] =>
    [
      { kind: 'sqnr', label: 'SQNR', unit: 'dB', factor: 1, usual: DEFAULT_MIN_SQNR_DB },
      { kind: 'time', label: 'Time of a run', unit: 'ms', factor: 1e-3, usual: half(today_s) },
      { kind: 'bytes', label: 'Size of the weights', unit: 'MB', factor: 1e6, usual: half(open?.weights_bytes) },
    ].filter(({ usual }) => usual !== null);
  const budget = chosenBudget(fields()) ?? { kind: 'sqnr', value: DEFAULT_MIN_SQNR_DB };
  const tool = chosenTool(TOOLS);
  const reply = useNetworkPlan(open && { ...networkChoices(), budget, tool });
  const answer = reply && 'json' in reply ? reply.json : null;
  const rows = answer?.plan.tensors ?? [];
  useAssumedNumbers(rows.some(({ format, own_error }) => format && !own_error) && 'Gaussian');
  useFinding(reply && 'error' in reply ? reply.error.message : undefined);
  if (open?.float_weights === 0)
    return (
      <p class="hint">
        <button type="button" class="link" onClick={() => changeView({ tab: 'precision' })}>
          Compare the formats of its operations in Accuracy
        </button>
      </p>
    );
  return (
    <div class="precision plan network-plan">
      <BudgetBar fields={fields(answer?.plan.today_s)} tools={TOOLS} tool={tool} budget={budget} />
      {answer && (
        <div class="plan-body">
          <ClipBox class="plan-table" label="Formats by layer">
            <p class="hint muted">
              dB: accuracy (SQNR) of the weights alone, measured on the file&apos;s own weights or assumed for normally
              distributed ones. The error of activations is not included: the file has none.
            </p>
            <AnswerTable
              rows={rows.slice(0, MOST_ROWS)}
              keyOf={({ name }) => name}
              columns={[
                { title: 'Layer', cell: ({ name }) => layerName(name) },
                { title: 'Operator', text: true, cell: ({ type }) => type ?? NONE },
                {
                  title: 'Format',
                  text: true,
                  cell: ({ format, operands }) =>
                    format ? (
                      <>
                        {formatName(format)}{' '}
                        <span class="muted">{operands === 'all' ? 'in all operands' : 'weights'}</span>
                      </>
                    ) : (
                      <span class="muted">unchanged</span>
                    ),
                },
                { title: 'Weights', cell: ({ bytes: size }) => bytes(size) },
                {
                  title: 'Time',
                  hint: 'Estimate, if the time above the bound stays',
                  cell: ({ time_s }) => seconds(time_s),
                },
                {
                  title: 'dB',
                  hint: 'SQNR of the weights in this format, dB',
                  cell: ({ sqnr_db, own_error }) =>
                    sqnr_db === null ? (
                      NONE
                    ) : (
                      <>
                        {sqnr_db.toFixed(1)} <span class="muted">{own_error ? 'measured' : 'assumed'}</span>
                      </>
                    ),
                },
              ]}
            />
            {rows.length > MOST_ROWS && (
              <p class="hint muted">and {count(rows.length - MOST_ROWS)} more layers, in the export</p>
            )}
          </ClipBox>
          <PlanExport answer={answer} />
        </div>
      )}
    </div>
  );
}
