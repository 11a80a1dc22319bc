// What every number format would buy, against what it would lose: speed-up and SQNR of the whole workload or of one operation.
import type { SampleName } from '../protocol';
import { useState } from 'preact/hooks';
import type { PrecisionJson, TensorInfo } from '../../../wasm/session';
import { NONE, count, range, seconds, signed } from '../format';
import { usePrecision } from '../state/precision_ask';
import { detail } from '../state/engine';
import { measure, measured, measuring, tensorFault, tensorFile } from '../state/precision';
import { changeWhatIf, settings } from '../state/settings';
import { look, selected, viewState } from '../state/view';
import { PrecisionChart } from './PrecisionChart';

export type Candidate = PrecisionJson['formats'][number];

const SAMPLES = [['gaussian', 'Gaussian'], ['student_t5', 'Heavy tails (Student t, 5)'], ['outlier_channels', 'Outlier channels']] as const satisfies readonly (readonly [SampleName, string])[];
const ROLES = [['', 'Everything'], ['weights_activations', 'Weights and activations'], ['weights', 'Weights']] as const;

export function Precision() {
  const { sample: asked = 'gaussian', roles, scope } = viewState.value;
  const own = asked === 'tensor' ? measured.value : null;
  const sample = asked === 'tensor' ? 'gaussian' : asked;
  const op = scope === 'op' ? selected.value : null;
  const sqnr_db = own && Object.fromEntries(own.formats.map(({ id, sqnr_db: { tensor }, exact }) => [id, exact.length > 0 ? null : (tensor ?? 'none')]));
  const reply = usePrecision({ ...(op !== null && { op }), ...(roles && { roles }), ...(sqnr_db ? { sqnr_db } : { sample }) });
  const [pointed, point] = useState<string | null>(null);
  if (reply && 'error' in reply) return <p class="hint">{reply.error.message}</p>;
  const formats = reply?.json.formats ?? [];
  const chosen = formats.find(({ whatif }) => isChosen(whatif))?.id ?? null;
  const choose = ({ id, whatif }: Candidate) =>
    changeWhatIf({ weight: undefined, activation: undefined, output: undefined, kv: undefined, ...(id !== chosen && whatif) });
  const shared = { formats, chosen, pointed, point, choose };
  return (
    <div class="precision">
      <div class="precision-controls">
        <label>Numbers <select aria-label="Numbers" value={asked === 'tensor' && !tensorFile.value ? sample : asked} onChange={event => look({ sample: event.currentTarget.value === 'gaussian' ? undefined : event.currentTarget.value })}>
          {SAMPLES.map(([id, label]) => <option key={id} value={id}>{label}</option>)}
          {tensorFile.value && <option value="tensor">{tensorFile.value.file.name}</option>}
        </select></label>
        {asked === 'tensor' && <TensorChoice />}
        <label>Format of <select aria-label="Format of" value={roles ?? ''} onChange={event => look({ roles: event.currentTarget.value })}>
          {ROLES.map(([id, label]) => <option key={id} value={id}>{label}</option>)}
        </select></label>
        <label>In <select aria-label="In" value={scope ?? ''} onChange={event => look({ scope: event.currentTarget.value })}>
          <option value="">all operations</option>
          <option value="op">{detail.value?.row.name ?? 'the selected operation'}</option>
        </select></label>
      </div>
      <TensorNote shown={asked === 'tensor'} />
      <div class="precision-body">
        <PrecisionChart {...shared} />
        <Table {...shared} />
      </div>
    </div>
  );
}

const FORMATS = ['weight', 'activation', 'output', 'kv'] as const;
const isChosen = (whatif: Candidate['whatif']) => FORMATS.every(role => settings.value.whatif?.[role] === whatif[role]);

/// What a point and a row share.
export interface Shared {
  formats: Candidate[];
  chosen: string | null;
  pointed: string | null;
  point: (id: string | null) => void;
  choose: (format: Candidate) => void;
}

export const decibels = ({ sqnr_db, exact }: Candidate) => (exact ? 'exact' : sqnr_db === null ? NONE : sqnr_db.toFixed(1));

export function summary(format: Candidate) {
  const computes = format.computes_as && format.computes_as !== format.id ? `, computes as ${format.computes_as}` : '';
  return `${format.name}: ${range(format.speedup_pessimistic, format.speedup_optimistic)}, ${decibels(format)}${format.exact ? '' : ' dB'}, bound ${seconds(format.predicted_time_s)}${computes}${format.weights_only ? ', weights only' : ''}`;
}

function Table({ formats, chosen, pointed, point, choose }: Shared) {
  const rows = [...formats].sort((a, b) => (b.speedup_optimistic ?? 0) - (a.speedup_optimistic ?? 0) || (b.sqnr_db ?? 1e9) - (a.sqnr_db ?? 1e9));
  return (
    <div class="precision-table" role="region" aria-label="Formats by speed-up" tabIndex={0}>
      <table>
        <thead><tr><th scope="col">Format</th><th scope="col">Bits</th><th scope="col">Speed-up</th><th scope="col"><abbr title="SQNR, dB">dB</abbr></th></tr></thead>
        <tbody onMouseLeave={() => point(null)}>
          {rows.map(format => (
            <tr key={format.id} class={`${format.pareto ? 'front' : ''} ${pointed === format.id ? 'pointed' : ''}`} title={summary(format)} onMouseEnter={() => point(format.id)}>
              <th scope="row"><button type="button" class="link" aria-pressed={chosen === format.id} onClick={() => choose(format)}>{format.id}</button></th>
              <td>{String(format.effective_bits)}</td>
              <td>{range(format.speedup_pessimistic, format.speedup_optimistic)}</td>
              <td>{decibels(format)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const shapeOf = ({ shape }: Pick<TensorInfo, 'shape'>) => shape.join(' × ') || 'scalar';

function TensorChoice() {
  const file = tensorFile.value;
  if (!file || file.tensors.length < 2) return null;
  return (
    <label>Tensor <select aria-label="Tensor" class="tensor-choice" value={measuring.value ?? measured.value?.tensor.name ?? ''} onChange={event => void measure(event.currentTarget.value)}>
      {file.tensors.map(tensor => (
        <option key={tensor.name} value={tensor.name} disabled={!tensor.readable}>{tensor.name} ({shapeOf(tensor)}, {tensor.type})</option>
      ))}
    </select></label>
  );
}

function TensorNote({ shown }: { shown: boolean }) {
  if (!shown || !tensorFile.value) return <p class="muted precision-note">Bold: nothing is faster and as accurate. Drop a .npy, .npz or safetensors file for your own numbers.</p>;
  if (tensorFault.value) return <p class="precision-note" role="alert">{[tensorFault.value.path, tensorFault.value.message].filter(Boolean).join(': ')}</p>;
  if (measuring.value !== null || !measured.value) return <p class="muted precision-note" role="status">Rounding {measuring.value || tensorFile.value.file.name}…</p>;
  const { elements, measured: rounded, not_finite, min, max, rms, ...tensor } = measured.value.tensor;
  return (
    <p class="muted precision-note">
      {shapeOf(tensor)} of {tensor.type}, from {signed(min)} to {signed(max)}, root mean square {signed(rms)}
      {rounded < elements && `; ${count(rounded)} of ${count(elements)} elements, evenly spread, were rounded`}
      {not_finite > 0 && `; ${count(not_finite)} are not finite and were taken as 0`}. It stays in this browser.
    </p>
  );
}
