// The controls of a plan: what it has to keep to, and the tool that applies it.
import { Choice } from '../widgets/Choice';
import { NumberInput } from '../widgets/NumberInput';
import { Select } from '../widgets/Select';
import { changePlan, type Budget, type BudgetField } from './plan';

interface Props<Tool extends string> {
  fields: BudgetField[];
  budget: Budget | null; // null: none
  optional?: boolean; // none can be chosen
  tools: readonly (readonly [Tool, string])[];
  tool: Tool;
}

/** The kind of budget, its value, and the tool. A kind that is chosen begins with a usual value. */
export function BudgetBar<Tool extends string>({ fields, budget, optional, tools, tool }: Props<Tool>) {
  const field = fields.find(({ kind }) => kind === budget?.kind);
  return (
    <div class="precision-controls plan-bar">
      <label>
        Budget{' '}
        <Select
          label="Budget"
          value={budget?.kind ?? ''}
          options={[
            ...(optional ? [['', 'none'] as const] : []),
            ...fields.map(({ kind, label }) => [kind, label] as const),
          ]}
          onChange={kind => {
            const usual = fields.find(one => one.kind === kind)?.usual ?? undefined;
            changePlan({ budget: kind || undefined, value: kind ? usual : undefined });
          }}
        />
      </label>
      {field && (
        <label class="limit-field">
          {field.kind === 'sqnr' ? 'at least' : 'at most'}{' '}
          <NumberInput
            label={`${field.label}, ${field.unit}`}
            value={Number((budget!.value / field.factor).toPrecision(6))}
            least={1e-6}
            most={1e9}
            unit={field.unit}
            onInput={typed => typed && changePlan({ budget: field.kind, value: typed * field.factor })}
          />{' '}
          {field.unit}
        </label>
      )}
      {field && <Choice label="For" value={tool} options={tools} onChange={id => changePlan({ tool: id })} />}
    </div>
  );
}
