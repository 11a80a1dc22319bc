// Every operator of a prefill or a decode step, with its formulas and their numbers.
import { number, percent, seconds, si, scaled } from '../format';
import { units } from '../core/engine';
import { modelAnswer, modelRequest } from './model';
import { AnswerTable } from '../widgets/AnswerTable';
import { ClipBox } from '../widgets/ClipBox';

/** A table for the chosen phase; for a generation one each for prefill and decode. */
export function Layers() {
  const phase = modelRequest.value?.phase ?? 'decode';
  const layers = (modelAnswer.value?.layers ?? []).filter(
    ({ step }) => phase === 'generate' || (step === 'prefill') === (phase === 'prefill'),
  );
  const unit = units.value;
  return (
    <ClipBox class="model-view">
      {[...new Set(layers.map(({ step }) => step))].map(step => (
        <AnswerTable
          key={step}
          class="layers"
          caption={
            step === 'prefill' ? 'Prefill' : step === 'verify' ? 'Verification of drafted tokens' : 'One decode step'
          }
          rows={layers.filter(layer => layer.step === step)}
          keyOf={(_, i) => i}
          columns={[
            {
              title: 'Operator, formulas',
              cell: ({ name, windowed }) => (
                <>
                  {name}
                  {windowed && <span class="muted"> window</span>}
                </>
              ),
            },
            { title: 'Count', value: ({ count }) => count, cell: ({ count }) => count },
            {
              title: unit.work,
              value: ({ flops }) => scaled(flops, unit),
              cell: ({ flops }) => si(scaled(flops, unit), ''),
            },
            { title: 'Bytes', value: ({ bytes }) => bytes, unit: 'B', cell: ({ bytes }) => si(bytes, 'B') },
            {
              title: unit.intensity,
              value: ({ intensity }) => scaled(intensity, unit),
              cell: ({ intensity }) => number(scaled(intensity, unit)),
            },
            { title: 'Bound by', text: true, cell: ({ bound }) => bound },
            {
              title: 'Time',
              value: ({ predicted_s }) => predicted_s,
              unit: 's',
              cell: ({ predicted_s }) => seconds(predicted_s),
            },
            { title: 'Share', value: ({ share }) => share, cell: ({ share }) => percent(share) },
          ]}
          below={({ flops_formula, elements_formula, link_bytes }) => (
            <>
              {flops_formula && <code>FLOP = {flops_formula}</code>}
              {elements_formula && <code>elements = {elements_formula}</code>}
              {link_bytes > 0 && <code>{si(link_bytes, 'B')} over the link</code>}
            </>
          )}
        />
      ))}
    </ClipBox>
  );
}
