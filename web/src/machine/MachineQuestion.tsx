// Says which machine the figures assume. If times were measured, and the file names no machine or contradicts the chosen one, asks which
// machine ran it. It does not ask if only times are known: they are compared with no machine's figures.
import { batch } from '@preact/signals';
import { capitalised, percent } from '../format';
import { finding } from '../core/finding';
import { machine, panelFrame, timesOnly } from '../core/engine';
import { chooseMachineOption, isMine, lastChosen, machineOptions } from './machine_options';
import { changeWhatIf, chooseMachine, settings } from '../core/settings';
import { viewState } from '../core/view';
import { chosenForFile } from './machine_of_file';
import { modelRequest } from '../model/model';
import { opened } from '../sources/opened';
import { MachinePicker } from './MachinePicker';
import { useWhichMachine } from './which_machine';

/**
 * Names the figures that assume the machine, unless the headline names the machine. Those of the Machines table do not:
 * each row is for another machine.
 */
function Assumption() {
  if (finding.value.some(({ text }) => text.includes('assumed'))) return null;
  const what = viewState.value.tab === 'machines' ? 'The totals and the speed-ups' : 'All figures';
  return (
    <>
      {what} assume {machine.value?.name}.{' '}
    </>
  );
}

/** The file states another machine than the chosen one: offers to go back, or to make the chosen one a what-if. */
function OtherThanStated({ stated }: { stated: string }) {
  const { machine: chosen } = settings.value;
  const back = () => chooseMachine(undefined);
  const asWhatIf = () =>
    batch(() => {
      back();
      changeWhatIf({ machine: chosen });
    });
  return (
    <div class="machine-question" role="group" aria-label="Which machine">
      <span>
        The file says {stated}, but its times are compared with {machine.value?.name}.
      </span>
      <button type="button" onClick={back}>
        Back to {stated}
      </button>
      <button type="button" onClick={asWhatIf}>
        What if on {machine.value?.name}
      </button>
    </div>
  );
}

/** The question, its candidates and the machine chosen last; nothing if there is nothing to ask. */
export function MachineQuestion() {
  const json = panelFrame.value?.json;
  const guessed = json?.machine_basis === 'guessed';
  const asks = !timesOnly.value && (json?.asks_for_machine ?? false);
  const found = useWhichMachine(asks);
  if (timesOnly.value) return null;
  const stated = opened.value?.stated_machine;
  if (json && stated && stated !== machine.value?.name && json.machine_basis === 'chosen' && json.all.timed_ops > 0)
    return <OtherThanStated stated={stated} />;
  if (json && !asks && json.machine_basis === 'assumed')
    return modelRequest.value ? null : ( // a model's headline says it
      <div class="machine-question" role="group" aria-label="Assumed machine">
        <Assumption />
        <MachinePicker label="Choose a machine" value="Choose a machine…" />
      </div>
    );
  if (!json || !found) return null;
  const { asked, reservation, machines, unlikely } = found;
  const now = machine.value?.id;
  const evidence = (guessed ? machines.find(({ id }) => id === now) : machines[0])?.evidence;
  const contradicted = (id: string) => json.ran_elsewhere && id === now;
  const plausible = (id: string) => !contradicted(id) && unlikely.every(machine => machine.id !== id);
  const likely = machines.filter(({ id }) => !contradicted(id));
  const before = chosenForFile();
  const last = guessed
    ? undefined
    : machineOptions().find(({ id }) => id === (before ?? lastChosen.value) && plausible(id));
  const others = likely.filter(({ id }) => id !== last?.id);
  return (
    <div class="machine-question" role="group" aria-label="Which machine">
      <span>
        {json.machine_basis === 'assumed' && !json.ran_elsewhere && <Assumption />}
        {asked}
        {evidence && `${asked.endsWith('?') ? '' : '.'} ${guessed ? 'Guessed from' : 'Suggested by'} ${evidence}:`}
      </span>
      {others.map(({ id, name, reach, roof, evidence }) => (
        <button
          key={id}
          type="button"
          aria-pressed={guessed && id === now ? true : undefined}
          title={capitalised(
            [evidence, reach !== null && `${percent(reach)} of its ${roof}`].filter(Boolean).join('; '),
          )}
          onClick={() => chooseMachineOption(id)}
        >
          {name}
        </button>
      ))}
      {now && plausible(now) && !isMine(now) && now !== last?.id && others.every(({ id }) => id !== now) && (
        <button type="button" onClick={() => chooseMachineOption(now)}>
          {machine.value?.name} (assumed now)
        </button>
      )}
      {last && (
        <button type="button" onClick={() => chooseMachineOption(last.id)}>
          {last.name.replace(/ \(mine\)$/, '')} ({before ? 'your choice for this file' : 'your last choice'})
        </button>
      )}
      <MachinePicker
        fittingFirst
        label="Choose a machine"
        value={likely.length > 0 ? 'Another…' : 'Choose a machine…'}
      />
      {reservation && <span class="muted">{capitalised(reservation)}</span>}
    </div>
  );
}
