// Work and time of a network by module, equal ones once with their count.
import type { ModuleJson, ModulesJson } from '../../../wasm/session';
import { compact, count, NONE, percent, scaled, seconds, si, times, type Maybe } from '../format';
import { useAnswer, type Reply } from '../core/ask';
import { core } from '../core/core';
import { units } from '../core/engine';
import { useFinding } from '../core/finding';
import { settingsText } from '../core/settings';
import { AnswerFault } from '../widgets/AnswerFault';
import { AnswerTable } from '../widgets/AnswerTable';
import { ClipBox } from '../widgets/ClipBox';

const MOST_ROWS = 1000; // more are for `roofline analyze --modules -o json`
const EVERY_MODULE = {};

const askModules = () => core().askNetwork(settingsText.peek(), 'modules') as Promise<Reply<ModulesJson>>;

/** The view. */
export function Modules() {
  const reply = useAnswer<ModulesJson>('modules', EVERY_MODULE, askModules);
  useFinding(reply && 'json' in reply ? reply.json.finding : undefined);
  if (!reply) return <p class="hint" aria-busy="true" />;
  if ('error' in reply) return <AnswerFault reply={reply} />;
  const { modules } = reply.json;
  const whole = modules[0]!;
  const unit = units.value;
  const bytes = (value: Maybe) => (value == null ? NONE : si(value, 'B'));
  const share = ({ body, predicted_time_s: each, count: equal }: ModuleJson) =>
    body ? null : (each * equal) / whole.predicted_time_s;
  return (
    <ClipBox class="model-view" label="Modules">
      <AnswerTable<ModuleJson>
        class="layers"
        rows={modules.slice(0, MOST_ROWS)}
        keyOf={(_, i) => i}
        caption={
          modules.length === 1
            ? 'The file names no modules'
            : modules.length > MOST_ROWS && `The first ${count(MOST_ROWS)} of ${count(modules.length)} modules`
        }
        columns={[
          {
            title: 'Module',
            hint: 'Equal adjacent modules share one line. Figures are for one of them, the share is for all',
            cell: ({ depth, name, body, count: equal, not_counted: uncounted }) => (
              <span style={{ paddingLeft: `${16 * depth}px` }} title={body && 'For one run of it'}>
                {depth === 0 && !body ? 'All' : name}
                {equal > 1 && <span class="muted"> x{count(equal)}</span>}
                {uncounted > 0 && <span class="muted"> {count(uncounted)} nodes not counted</span>}
              </span>
            ),
          },
          {
            title: 'Share',
            hint: 'Share of the sum of all bounds, for all equal modules together',
            cell: m => percent(share(m)),
          },
          { title: 'Bound', cell: ({ predicted_time_s }) => seconds(predicted_time_s) },
          ...(whole.time_s === null
            ? []
            : [
                {
                  title: 'Measured',
                  hint: 'Measured time of its operations; the mean of equal modules',
                  cell: (m: ModuleJson) => (m.time_s === null ? NONE : seconds(m.time_s)),
                },
                {
                  title: 'Time / bound',
                  hint: 'Measured time over the bound',
                  cell: (m: ModuleJson) =>
                    m.time_s === null || !m.predicted_time_s ? NONE : times(m.time_s / m.predicted_time_s),
                },
              ]),
          { title: 'Bound by', text: true, cell: ({ bound_by }) => bound_by ?? NONE },
          { title: 'Estimate', cell: ({ typical_time_s }) => seconds(typical_time_s) },
          { title: 'MAC', hint: 'Multiply-adds of products and convolutions', cell: m => si(m.matrix_macs, '') },
          { title: unit.work, cell: ({ flops }) => si(scaled(flops, unit), '') },
          { title: 'Parameters', cell: ({ parameters }) => compact(parameters) },
          { title: 'Weights', cell: ({ weights_bytes }) => bytes(weights_bytes) },
          { title: 'Read', hint: 'Activations that its operations read', cell: m => bytes(m.read_bytes) },
          { title: 'Written', hint: 'Activations that its operations write', cell: m => bytes(m.written_bytes) },
          { title: 'Ops', cell: ({ ops }) => count(ops) },
        ]}
      />
    </ClipBox>
  );
}
