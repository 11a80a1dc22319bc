// Every operator of a prefill or a decode step, with its formulas and their numbers.
import { number, percent, seconds, si, scaled } from '../format';
import { units } from '../core/engine';
import { modelAnswer, modelRequest } from './model';
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
        <table key={step} class="figures layers">
          <caption>
            {step === 'prefill' ? 'Prefill' : step === 'verify' ? 'Verification of drafted tokens' : 'One decode step'}
          </caption>
          <thead>
            <tr>
              <th scope="col">Operator, formulas</th>
              <th scope="col" class="number">
                Count
              </th>
              <th scope="col" class="number">
                {unit.work}
              </th>
              <th scope="col" class="number">
                Bytes
              </th>
              <th scope="col" class="number">
                {unit.intensity}
              </th>
              <th scope="col">Bound by</th>
              <th scope="col" class="number">
                Time
              </th>
              <th scope="col" class="number">
                Share
              </th>
            </tr>
          </thead>
          {layers
            .filter(layer => layer.step === step)
            .map((layer, i) => (
              <tbody key={i}>
                <tr>
                  <th scope="row">
                    {layer.name}
                    {layer.windowed && <span class="muted"> window</span>}
                  </th>
                  <td class="number">{layer.count}</td>
                  <td class="number">{si(scaled(layer.flops, unit), '')}</td>
                  <td class="number">{si(layer.bytes, 'B')}</td>
                  <td class="number">{number(scaled(layer.intensity, unit))}</td>
                  <td>{layer.bound}</td>
                  <td class="number">{seconds(layer.predicted_s)}</td>
                  <td class="number">{percent(layer.share)}</td>
                </tr>
                <tr class="formulas muted">
                  <td colSpan={8}>
                    {layer.flops_formula && <code>FLOP = {layer.flops_formula}</code>}
                    {layer.elements_formula && <code>elements = {layer.elements_formula}</code>}
                    {layer.link_bytes > 0 && <code>{si(layer.link_bytes, 'B')} over the link</code>}
                  </td>
                </tr>
              </tbody>
            ))}
        </table>
      ))}
    </ClipBox>
  );
}
