// Speed-up and accuracy (SQNR) of every format, for the whole workload or one operation.
import { DEFAULT_MIN_SQNR_DB } from '../protocol';
import { useCallback, useRef, useState } from 'preact/hooks';
import { count } from '../format';
import { useAssumedNumbers } from './assumed_numbers';
import { usePrecision } from './precision_ask';
import { detail, panelFrame } from '../core/engine';
import { useGgufAccuracies } from './gguf';
import { useOwnWeights } from './own_weights';
import { hasAlternatives, scopedOp } from '../sources/opened';
import { keptOf, measured, tensorFile } from './tensors';
import { changeWhatIf, inAllOperands, OPERANDS, settings } from '../core/settings';
import { changeView, viewState } from '../core/view';
import { AnswerFault } from '../widgets/AnswerFault';
import { Choice } from '../widgets/Choice';
import { NumberInput } from '../widgets/NumberInput';
import { PrecisionLayers, UNUSABLE_DB } from './PrecisionLayers';
import { Select } from '../widgets/Select';
import { isBest, reaches, type Candidate } from './candidates';
import { chosenDistribution, DISTRIBUTIONS } from './distributions';
import { FormatTable } from './FormatTable';
import { TensorChoice, TensorNote, WeightsNote } from './MeasuredOn';
import { ParetoChart } from './ParetoChart';

const ROLES = [
  ['', 'All operands that take it'],
  ['weights_activations', 'Weights and activations'],
  ['weights', 'Weights'],
] as const;

/** The chart and the table of formats, with the choice of numbers and operands. */
export function Precision() {
  const weights = useOwnWeights();
  const usual = weights ? 'weights' : 'gaussian';
  const { sample: asked = usual, roles, scope, thresholdDb: threshold = DEFAULT_MIN_SQNR_DB } = viewState.value;
  const alternatives = hasAlternatives();
  const byLayer = !alternatives && viewState.value.byLayer;
  const own = asked === 'tensor' ? measured.value : null;
  const ofWeights = asked === 'weights' ? weights : null;
  const { id: sample, name: distributionName } = chosenDistribution();
  const op = scopedOp();
  const gguf = useGgufAccuracies(own || ofWeights ? null : sample);
  const asking = {
    revision: panelFrame.value?.revision, // another one where the filters change
    threshold_db: threshold,
    ...(roles && { roles }),
  };
  const numbers = {
    ...asking,
    ...(own ? { sqnr_db: keptOf(own) } : ofWeights ? { mean_of: ofWeights.tensors } : { sample, sqnr_db: gguf }),
  };
  const reply = usePrecision(byLayer ? null : { ...(op !== null && { op }), ...numbers });
  const distribution = own || ofWeights ? false : distributionName;
  const numbersField = useRef<HTMLLabelElement>(null);
  const chooseNumbers = useCallback(() => {
    const choice = numbersField.current!.querySelector('select')!;
    choice.focus();
    choice.showPicker?.();
  }, []);
  // A tensor of weights says nothing of activations.
  const assumed = distribution || (roles !== 'weights' && 'Gaussian activations');
  useAssumedNumbers(!byLayer && assumed, chooseNumbers);
  const [pointed, point] = useState<string | null>(null);
  const [unlikelyShown, showUnlikely] = useState(false);
  if (reply && 'error' in reply) return <AnswerFault reply={reply} />;
  const all = reply?.json.formats ?? [];
  const chosen = all.find(({ whatif }) => isChosen(whatif))?.id ?? null;
  const unlikely = all.filter(
    format => format.id !== chosen && (format.support === 'lacks' || !reaches(format, UNUSABLE_DB)),
  );
  const formats = unlikelyShown ? all : all.filter(format => !unlikely.includes(format));
  const choose = ({ id, whatif }: Candidate) =>
    changeWhatIf({ ...inAllOperands(undefined), ...(id !== chosen && whatif) });
  const shared = { formats, chosen, pointed, point, choose, threshold };
  return (
    <div class="precision">
      <div class="precision-controls">
        <label ref={numbersField}>
          Numbers{' '}
          <Select
            label="Numbers"
            value={(asked === 'tensor' && tensorFile.value) || ofWeights ? asked : sample}
            options={[
              ...(weights ? [['weights', "The file's weights"] as const] : []),
              ...DISTRIBUTIONS.map(({ id, name }) => [id, name] as const),
              ...(tensorFile.value ? [['tensor', tensorFile.value.file.name] as const] : []),
            ]}
            onChange={id => changeView({ sample: id === usual ? undefined : id })}
          />
        </label>
        {asked === 'tensor' && <TensorChoice />}
        <label>
          Format of{' '}
          <Select label="Format of" value={roles ?? ''} options={ROLES} onChange={id => changeView({ roles: id })} />
        </label>
        <label title={`Least accuracy (SQNR): usually ${DEFAULT_MIN_SQNR_DB} dB for weights, 40 dB for activations`}>
          At least{' '}
          <NumberInput
            label="Least accuracy, dB"
            least={0}
            most={120}
            unit="dB"
            list="usual-db"
            value={threshold}
            onInput={next => changeView({ thresholdDb: next !== DEFAULT_MIN_SQNR_DB ? next : undefined })}
          />{' '}
          dB
          <datalist id="usual-db">
            <option value={DEFAULT_MIN_SQNR_DB} label="usual for weights" />
            <option value="40" label="usual for activations" />
          </datalist>
        </label>
        {!alternatives && (
          <Choice
            label="Formats"
            value={byLayer ? 'layers' : 'one'}
            options={[
              ['one', 'Same format everywhere'],
              ['layers', 'Per layer'],
            ]}
            onChange={next => changeView({ byLayer: next === 'layers' ? true : undefined })}
          />
        )}
        {!byLayer && !alternatives && (
          <label>
            Scope{' '}
            <Select
              label="Scope"
              value={scope ?? ''}
              options={[
                ['', 'all operations'],
                ['op', detail.value?.row.name ?? 'the selected operation'],
              ]}
              onChange={id => changeView({ scope: id })}
            />
          </label>
        )}
      </div>
      {ofWeights && <WeightsNote weights={ofWeights} />}
      {(!byLayer || asked === 'tensor') && (
        <TensorNote
          tensorChosen={asked === 'tensor'}
          threshold={threshold}
          anyBold={formats.some(format => isBest(format, threshold))}
        />
      )}
      {!byLayer && unlikely.length > 0 && (
        <p class="muted precision-note">
          {count(unlikely.length)} {unlikely.length === 1 ? 'format' : 'formats'} below {UNUSABLE_DB} dB or not
          supported by this machine{' '}
          <button type="button" class="link" aria-expanded={unlikelyShown} onClick={() => showUnlikely(!unlikelyShown)}>
            {unlikelyShown ? 'hide' : 'show'}
          </button>
        </p>
      )}
      {byLayer ? (
        <PrecisionLayers
          request={ofWeights ? { ...numbers, tensors: ofWeights.tensors } : numbers}
          roles={roles}
          threshold={threshold}
          numbers={assumed}
          chooseNumbers={chooseNumbers}
        />
      ) : (
        <div class="precision-body">
          <div class="precision-chart">
            <ParetoChart {...shared} />
          </div>
          <FormatTable {...shared} />
        </div>
      )}
    </div>
  );
}

const isChosen = (whatif: Candidate['whatif']) =>
  OPERANDS.every(role => settings.value.whatif?.[role] === whatif[role]);
