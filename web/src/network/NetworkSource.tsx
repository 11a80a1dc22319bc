// The group of the Change panel for a network: its open dimensions, fusion, and what holds for all of it.
import { useState } from 'preact/hooks';
import type { NetworkDimension } from '../../../wasm/session';
import { bytes, compact, count, percent, plural } from '../format';
import { TOOL_CHAINS } from '../protocol';
import { atAGlance, chosenToolChain, isMeasured, lengthOf, network, setDimension, setToolChain } from './network';
import { opened } from '../sources/opened';
import { NumberInput } from '../widgets/NumberInput';
import { Select } from '../widgets/Select';
import { Slider } from '../widgets/Slider';

const MOST_DIMENSION = 1e6; // that can be typed
const SLID = 64; // times the usual length, at the end of the slider

const titleOf = (id: string) => TOOL_CHAINS.find(([known]) => known === id)?.[1] ?? id;

export function NetworkSource() {
  const open = network.value;
  if (!open) return null;
  const chosen = chosenToolChain();
  const measured = isMeasured.value;
  const ran = opened.value!.engine !== 'none';
  const usual = ran ? 'As in the profile' : 'Machine default';
  return (
    <>
      {measured && <p class="muted">{atAGlance(open)}, as measured. Open the network alone to change its sizes.</p>}
      {!measured && open.dimensions.map(dimension => <DimensionInput key={dimension.name} {...dimension} />)}
      <label
        class="field stacked"
        title="Merges element-wise operations, norms and quantisation into the operation before them, as the compiler does; views cost nothing. The machine default changes with the machine"
      >
        <span>Fused as</span>
        <Select<string>
          value={chosen}
          options={[['', chosen ? usual : `${usual}: ${titleOf(open.tool_chain)}`], ...TOOL_CHAINS]}
          onChange={setToolChain}
        />
      </label>
      {open.folded && (
        <p class="muted">
          {count(open.folded_nodes)} of {count(open.nodes)} nodes are merged into others or vanish
          {ran && !chosen && `, as ${titleOf(open.tool_chain)} does, which ran the network`}.
        </p>
      )}
      <dl class="network-facts">
        <dt>Weights</dt>
        <dd>
          {open.generated_bytes > open.weights_bytes
            ? `not in the file: ConstantOfShape fills ${bytes(open.generated_bytes)} with one value`
            : `${bytes(open.weights_bytes)}, ${compact(open.parameters)} parameters`}
        </dd>
        <dt>Peak activations</dt>
        <dd>
          {open.peak_activation_bytes === null ? '?' : bytes(open.peak_activation_bytes)}
          {open.peak_at && <span class="muted"> at {open.peak_at}</span>}
        </dd>
        {open.not_counted.length > 0 && (
          <>
            <dt>Not counted</dt>
            <dd>
              <details>
                <summary>
                  {plural(
                    open.not_counted.reduce((sum, { nodes }) => sum + nodes, 0),
                    'node',
                  )}
                  , {percent(open.not_counted.reduce((sum, { share }) => sum + share, 0))} of all
                </summary>
                <ul>
                  {open.not_counted.map(({ type, nodes, reason }) => (
                    <li key={type + reason}>
                      {count(nodes)} {type}: {reason}
                    </li>
                  ))}
                </ul>
              </details>
            </dd>
          </>
        )}
      </dl>
      {open.notes.map(note => (
        <p key={note} class="muted note">
          {note}
        </p>
      ))}
    </>
  );
}

/** A slider; a length that nobody has set and that has no usual value is asked for. */
function DimensionInput(dimension: NetworkDimension) {
  const { name, assumed, decided_by_data: decided, least, greatest } = dimension;
  const value = lengthOf(dimension);
  const [usual] = useState(value); // the slider's range does not move with it
  if (value === null)
    return (
      <label class="field">
        <span>{name}</span>
        <NumberInput
          value={undefined}
          optional
          whole
          least={least}
          most={greatest ?? MOST_DIMENSION}
          placeholder={decided ? 'upper bound' : 'not set'}
          onInput={length => setDimension(name, length)}
        />
      </label>
    );
  const least1 = Math.max(1, least);
  return (
    <Slider
      label={name}
      title={assumed ? 'Not fixed in the file: a usual length is assumed' : 'Not fixed in the file'}
      value={value}
      min={least1}
      max={Math.max(least1 + 1, Math.min(greatest ?? Infinity, Math.max(usual ?? 1, 8) * SLID))}
      least={least}
      most={greatest ?? MOST_DIMENSION}
      log
      whole
      digits={9}
      unit={assumed ? 'assumed' : ''}
      snap={Math.round}
      onInput={length => setDimension(name, Math.round(length))}
      onReset={assumed ? undefined : () => setDimension(name, undefined)}
      resetTitle="Back to the usual length"
    />
  );
}
