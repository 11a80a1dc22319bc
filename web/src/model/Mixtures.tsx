// The open model in each mixture of llama-quantize: bytes, whether it fits, time per token. A click takes the mixture as the weights' format.
import { useState } from 'preact/hooks';
import { bytes, number, seconds } from '../format';
import { useAnswer } from '../core/ask';
import { changeModel, modelRequest } from './model';
import { ClipBox } from '../widgets/ClipBox';

interface Mixture {
  name: string;
  weights_bytes: number;
  bits_per_weight: number;
  verdict: string;
  tpot_s: number | null;
  typical_tpot_s: number | null;
}

/** A row per mixture, the smallest first. */
export function Mixtures() {
  const [imatrix, setImatrix] = useState(true);
  const request = modelRequest.value;
  const reply = useAnswer<{ mixtures: Mixture[] }>('model_mixtures', request && { request, imatrix });
  const mixtures = reply && 'json' in reply ? reply.json.mixtures : [];
  return (
    <ClipBox class="model-view">
      <label class="check" title="llama-quantize chooses some formats by an importance matrix of the activations">
        <input type="checkbox" checked={imatrix} onChange={event => setImatrix(event.currentTarget.checked)} />
        Made with an importance matrix
      </label>
      <table class="figures">
        <caption>This model in each mixture of llama-quantize (GGUF), a decode step</caption>
        <thead>
          <tr>
            <th scope="col">Mixture</th>
            <th scope="col" class="number">
              Weights
            </th>
            <th scope="col" class="number">
              Bits per weight
            </th>
            <th scope="col" class="number">
              Time per token
            </th>
            <th scope="col" class="number">
              Bound
            </th>
            <th scope="col">Memory</th>
          </tr>
        </thead>
        <tbody>
          {mixtures.map(({ name, ...m }) => (
            <tr key={name} aria-current={request?.weights === name || undefined}>
              <th scope="row">
                <button
                  type="button"
                  class="link"
                  onClick={() => void changeModel({ weights: name, experts: undefined })}
                >
                  {name}
                </button>
              </th>
              <td class="number">{bytes(m.weights_bytes)}</td>
              <td class="number">{number(m.bits_per_weight)}</td>
              <td class="number">{seconds(m.typical_tpot_s)}</td>
              <td class="number">{seconds(m.tpot_s)}</td>
              <td>{m.verdict || 'capacity not known'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ClipBox>
  );
}
