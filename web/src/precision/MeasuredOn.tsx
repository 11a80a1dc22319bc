// What the accuracies are measured on: the weights of the open file, or a tensor of one's own.
import type { TensorInfo } from '../../../wasm/session';
import { count, plural, signed, times } from '../format';
import { LEAST_GAIN } from '../protocol';
import { faultText } from '../core/ask';
import { isComplete, type OwnWeights } from './own_weights';
import { measure, measured, measuring, tensorFault, tensorFile } from './tensors';

const shapeOf = ({ shape }: Pick<TensorInfo, 'shape'>) => shape.join(' × ') || 'scalar';

export function TensorChoice() {
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
export const WeightsNote = ({ weights }: { weights: OwnWeights }) => (
  <p class="muted precision-note" role="status">
    {isComplete(weights)
      ? `dB: measured on the file's weights, ${plural(weights.total, 'layer')}. `
      : `Measuring the file's weights: ${count(weights.measured)} of ${plural(weights.total, 'layer')}. `}
    The file has no activations: they are assumed to be normally distributed.
  </p>
);

interface NoteProps {
  tensorChosen: boolean;
  threshold: number; // dB
  anyBold: boolean; // a format is printed in bold
}

export function TensorNote({ tensorChosen, threshold, anyBold }: NoteProps) {
  if (!tensorChosen || !tensorFile.value)
    return (
      <p class="muted precision-note">
        Circle: Pareto-optimal, no other format is both faster and more accurate.{' '}
        {anyBold && `Bold: also at least ${threshold} dB and ${times(LEAST_GAIN)} faster. `}
        Grey: below {threshold} dB, or accuracy unknown. Drop a .npy, .npz or safetensors file to use your own numbers.
      </p>
    );
  if (measuring.value === null && tensorFault.value)
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
