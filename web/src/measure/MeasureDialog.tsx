// Measures this computer, shows its roofs, and uses, saves or exports it as a machine.
import { useEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from '../widgets/Dialog';
import { measureCpu } from './cpu';
import { measureGpu } from './gpu/gpu';
import { NoGpu } from './gpu/device';
import { CPU_ID, cpuMachine, GPU_ID, gpuMachine } from './machine';
import type { Host } from './host';
import { MachineResult } from './MachineResult';
import { RunHere } from './RunHere';
import { Cancelled, type Progress, type Run } from './probing';
import { messageOf } from '../core/faults';
import type { Machine } from '../core/machine_document';

type State =
  | { kind: 'ready'; cancelled?: boolean }
  | { kind: 'running'; progress: Progress; cancel(): void }
  | { kind: 'failed'; reason: string; again: boolean }
  | { kind: 'done'; machine: Machine };

/** What is measured: the processor, then the GPU. */
const PARTS = [
  { title: 'Processor', measure: async (run: Run) => cpuMachine(await measureCpu(run)) },
  { title: 'GPU', measure: async (run: Run) => gpuMachine(await measureGpu(run)) },
];

export function MeasureDialog({ host, onClose }: { host: Host; onClose: () => void }) {
  const [states, setStates] = useState<State[]>(PARTS.map(() => ({ kind: 'ready' })));
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const set = (part: number, state: State) => setStates(all => all.map((old, i) => (i === part ? state : old)));

  /** False: the user has cancelled. */
  const measure = async (part: number, abort: AbortController): Promise<boolean> => {
    const report = (progress: Progress) => set(part, { kind: 'running', progress, cancel: () => abort.abort() });
    try {
      set(part, { kind: 'done', machine: await PARTS[part]!.measure({ signal: abort.signal, report }) });
    } catch (error) {
      if (error instanceof Cancelled) set(part, { kind: 'ready', cancelled: true });
      else set(part, { kind: 'failed', reason: messageOf(error), again: !(error instanceof NoGpu) });
    }
    return !abort.signal.aborted;
  };
  const start = async (parts: number[]) => {
    const abort = new AbortController();
    running.current = abort;
    for (const part of parts) if (!(await measure(part, abort))) return;
  };
  const busy = states.some(({ kind }) => kind === 'running');
  const [runs, setRuns] = useState(false); // an operator is running: a measurement at the same time would be too low
  const found = (part: number, id: RegExp) => {
    const state = states[part]!;
    return state.kind === 'done' ? state.machine : (host.mine.find(machine => id.test(machine.id)) ?? null);
  };
  const machines = { cpu: found(0, CPU_ID), gpu: found(1, GPU_ID) };
  const fresh = states.every(({ kind }) => kind === 'ready');

  return (
    <Dialog title="Measure this machine" onClose={onClose}>
      <div class="measure">
        <p class="muted">
          Runs small kernels on this computer's processor and GPU for about 15 s. Nothing is sent anywhere. Other
          programs that run now lower the figures.{' '}
          <a href="docs/measure.html" target="_blank" rel="noreferrer">
            How it measures
          </a>
        </p>
        {fresh && (
          <div class="actions">
            <button type="button" class="primary" disabled={runs} onClick={() => void start(PARTS.map((_, i) => i))}>
              Measure
            </button>
            {states.some(state => state.kind === 'ready' && state.cancelled) && <span role="status">Cancelled.</span>}
          </div>
        )}
        {!fresh &&
          PARTS.map(({ title }, i) => (
            <Part
              key={title}
              title={title}
              state={states[i]!}
              host={host}
              onStart={busy || runs ? undefined : () => void start([i])}
            />
          ))}
        {host.operator && <RunHere host={host} machines={machines} busy={busy} onRunning={setRuns} onClose={onClose} />}
      </div>
    </Dialog>
  );
}

interface PartProps {
  title: string;
  state: State;
  host: Host;
  onStart: (() => void) | undefined; // none: something else is being measured
}

/** One processor: its button, its progress, or what was found. */
function Part({ title, state, host, onStart }: PartProps) {
  return (
    <section aria-label={title} data-state={state.kind}>
      <h3>{title}</h3>
      {state.kind === 'running' ? (
        <div class="actions">
          <progress value={state.progress.done} max={1} aria-label={`Progress: ${title}`} />
          <button type="button" onClick={state.cancel}>
            Cancel
          </button>
          <span role="status">{state.progress.what}</span>
        </div>
      ) : state.kind === 'done' ? (
        <MachineResult machine={state.machine} host={host} onAgain={onStart} />
      ) : (
        <>
          {state.kind === 'failed' && (
            <p class="form-fault" role="alert">
              Not measured: {state.reason}
            </p>
          )}
          {onStart && (state.kind === 'ready' || state.again) && (
            <button type="button" onClick={onStart}>
              Measure
            </button>
          )}
        </>
      )}
    </section>
  );
}
