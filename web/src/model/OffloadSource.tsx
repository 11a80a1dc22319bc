// Shares the open language model between the machine and its host, as llama.cpp does: the host, the layers on the GPU, and the experts.
import { useEffect } from 'preact/hooks';
import { count, NONE, number } from '../format';
import { useAnswer } from '../core/ask';
import { machines } from '../core/catalogue';
import { changeView, viewState } from '../core/view';
import { Combobox } from '../widgets/Combobox';
import { Slider } from '../widgets/Slider';
import { modelAnswer, modelRequest } from './model';
import { askOffload, changeOffload, FIRST_HOST, offloadAnswer, type OffloadJson } from './offload';
import { machineName } from '../machine/machine_options';

/** The controls in the Change panel, and the speed in short. */
export function OffloadSource() {
  const request = modelRequest.value;
  const { offload } = viewState.value;
  const reply = useAnswer<OffloadJson>(
    'offload',
    request && offload
      ? {
          request,
          host: offload.host,
          gpu_layers: offload.gpuLayers,
          experts_on_host: offload.expertsOnHost,
        }
      : null,
    askOffload,
  );
  const answer = offload && reply && 'json' in reply ? reply.json : null;
  useEffect(() => {
    offloadAnswer.value = answer;
    return () => void (offloadAnswer.value = null);
  }, [answer]);
  const toggle = (
    <label
      class="check"
      title="Weights and cache that do not fit on the machine stay in the host's memory, and the host computes with them"
    >
      <input
        type="checkbox"
        checked={offload !== undefined}
        onChange={event =>
          event.currentTarget.checked ? changeOffload({ host: FIRST_HOST }) : changeView({ offload: undefined })
        }
      />
      Share with a host
    </label>
  );
  if (!offload) return <div class="model-source">{toggle}</div>;
  const host = machineName(offload.host);
  return (
    <div class="model-source" role="group" aria-label="Host">
      {toggle}
      <Combobox label="Host" options={machines.value} value={host} onChange={id => changeOffload({ host: id })} />
      {reply && 'error' in reply && (
        <p class="error" role="alert">
          {reply.error.message}
        </p>
      )}
      {answer && (
        <div class="sliders">
          <Slider
            label="Layers on the GPU"
            title="The LM head, then layers from the last one back: --gpu-layers of llama.cpp"
            value={answer.gpu_layers}
            min={0}
            max={answer.layers}
            least={0}
            most={answer.layers}
            whole
            unit={offload.gpuLayers === undefined ? 'best' : `of ${count(answer.layers)}`}
            snap={Math.round}
            onInput={layers => changeOffload({ gpuLayers: Math.round(layers) })}
            onReset={offload.gpuLayers === undefined ? undefined : () => changeOffload({ gpuLayers: undefined })}
            resetTitle="Back to the best number"
          />
        </div>
      )}
      {Boolean(modelAnswer.value?.model.mlp.experts) && (
        <label class="check" title="--cpu-moe of llama.cpp">
          <input
            type="checkbox"
            checked={offload.expertsOnHost ?? false}
            onChange={event => changeOffload({ expertsOnHost: event.currentTarget.checked })}
          />
          Experts on the host
        </label>
      )}
      {answer && (
        <p class="muted" aria-live="polite">
          {speed(answer.batch, answer.typical_tpot_s)}; bound {speed(answer.batch, answer.tpot_s)}
          {answer.fits === false && <span class="error">; does not fit</span>}
          {answer.barely_fits && <span class="warning">; barely fits</span>}
          {answer.best.gpu_layers !== answer.gpu_layers && (
            <>
              . Best:{' '}
              <button type="button" class="link" onClick={() => changeOffload({ gpuLayers: undefined })}>
                {count(answer.best.gpu_layers)} layers
              </button>
              , {speed(answer.batch, answer.best.typical_tpot_s)}
            </>
          )}
        </p>
      )}
    </div>
  );
}

const speed = (batch: number, tpot: number | null) => (tpot === null ? NONE : `${number(batch / tpot)} tokens/s`);
