// A plan for the open language model: the type of each tensor within a budget, and the best mixture as small, or as fast.
import { bytes, number, seconds } from '../format';
import { formatName } from '../core/catalogue';
import { modelAnswer } from '../model/model';
import type { Reply } from '../core/ask';
import { AnswerFault } from '../widgets/AnswerFault';
import { AnswerTable } from '../widgets/AnswerTable';
import { ClipBox } from '../widgets/ClipBox';
import { BudgetBar } from './BudgetBar';
import { chosenBudget, type BudgetField, type FormatPlan, type PlanAnswer } from './plan';
import { PlanExport } from './PlanExport';

export const MODEL_TOOLS = [
  ['llama-quantize', 'llama.cpp'],
  ['ik', 'ik_llama.cpp'],
  ['llm-compressor', 'llm-compressor'],
] as const;
type Tool = (typeof MODEL_TOOLS)[number][0];

/** What a usual budget follows: a mixture. */
interface Usual {
  weights_bytes: number;
  typical_tpot_s: number | null;
  kld: number | null;
}

const floored = (value: number) => {
  const step = 10 ** (Math.floor(Math.log10(value)) - 2);
  return Number((Math.floor(value / step) * step).toPrecision(3));
};
const rounded = (value: number | null | undefined) => (value == null ? null : Number(value.toPrecision(3)));

/** Budgets of a language model; at first each is that of a mixture, `usual`, and the memory that of the machine less its reserve. */
export function modelBudgets(usual: Usual | undefined): BudgetField[] {
  const {
    bytes_per_machine: memory,
    memory: { reserve = 0 } = {},
  } = modelAnswer.value ?? {};
  const capacity = memory?.capacity ? memory.capacity * (1 - reserve) : null;
  return [
    { kind: 'bytes', label: 'Size of the weights', unit: 'GB', factor: 1e9, usual: rounded(usual?.weights_bytes) },
    { kind: 'memory', label: 'Memory of the machine', unit: 'GB', factor: 1e9, usual: capacity && floored(capacity) }, // rounded up, the plan would not leave the reserve free
    { kind: 'tpot', label: 'Time per token', unit: 'ms', factor: 1e-3, usual: rounded(usual?.typical_tpot_s) },
    { kind: 'kld', label: 'KL divergence', unit: 'nats', factor: 1, usual: rounded(usual?.kld) },
  ].filter(({ usual: value }) => value !== null);
}

/** The controls, and below them the plan. */
export function ModelPlan({
  fields,
  tool,
  reply,
}: { fields: BudgetField[]; tool: Tool; reply: Reply<PlanAnswer> | null }) {
  const budget = chosenBudget(fields);
  const answer = budget && reply && 'json' in reply ? reply.json : null;
  return (
    <section class="plan" aria-label="Plan">
      <h3>
        A type for each tensor <span class="muted">within a budget</span>
      </h3>
      <BudgetBar fields={fields} budget={budget} optional tools={MODEL_TOOLS} tool={tool} />
      <AnswerFault reply={budget && reply} />
      {answer && (
        <>
          <p class="plan-finding">{answer.plan.finding}</p>
          {answer.plan.tensors.some(({ own_error }) => own_error) && (
            <p class="precision-note muted">Tensor errors are computed from the weights of the open file.</p>
          )}
          <div class="plan-body">
            <div>
              <Comparison plan={answer.plan} />
              <ClipBox class="plan-table" label="Types by tensor">
                <AnswerTable
                  rows={answer.groups!}
                  keyOf={({ name, format }) => `${name} ${format}`}
                  columns={[
                    { title: 'Tensors', cell: ({ name }) => name },
                    { title: 'Type', text: true, cell: ({ format }) => formatName(format) },
                    { title: 'Layers', text: true, cell: ({ layers }) => layers || '–' },
                    { title: 'Weights', cell: ({ bytes: size }) => bytes(size) },
                  ]}
                />
              </ClipBox>
            </div>
            <PlanExport answer={answer} />
          </div>
        </>
      )}
    </section>
  );
}

/** The plan, and the mixture that it is compared with. */
function Comparison({ plan }: { plan: FormatPlan }) {
  const { best_mixture: best } = plan;
  const rows = [
    {
      name: 'Plan',
      size: plan.weights_bytes,
      time: plan.time_s,
      kld: number(plan.kld),
      band: `${number(plan.kld_low)} to ${number(plan.kld_high)}`,
    },
    ...(best
      ? [{ name: best.name, size: best.weights_bytes, time: best.time_s, kld: number(best.kld), band: '' }]
      : []),
  ];
  return (
    <ClipBox class="plan-table" label="Plan and best mixture">
      <AnswerTable
        rows={rows}
        keyOf={({ name }) => name}
        columns={[
          { title: 'Option', cell: ({ name }) => name },
          { title: 'Weights', cell: ({ size }) => bytes(size) },
          { title: 'Per token', hint: 'Estimated time per token', cell: ({ time }) => seconds(time) },
          { title: 'KLD', cell: ({ kld }) => kld },
          {
            title: 'KLD range',
            hint: 'The range within which the KLD of 80% of models lies',
            cell: ({ band }) => band,
          },
        ]}
      />
    </ClipBox>
  );
}
