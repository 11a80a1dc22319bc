// Runs the open operator on this computer, and shows its time beside the bound of the measured machine.
import { useEffect, useRef, useState } from 'preact/hooks';
import { download } from '../core/download';
import { messageOf } from '../core/faults';
import type { Machine } from '../core/machine_document';
import { percent, rateUnitOf, seconds, si } from '../format';
import { Choice } from '../widgets/Choice';
import { gapOf } from './gap';
import type { Host } from './host';
import { Cancelled, type Progress } from './probing';
import { resultsCsv, resultsJson } from './results';
import { runTasks, type Measured } from './run_task';
import { Roofs } from './Roofs';
import { bytesOf, flopsOf, taskOf, type Format, type Place, type Task } from './tasks';

const FORMATS: Format[] = ['fp32', 'fp16', 'int8'];
const NAMES: Record<Place, string> = { cpu: 'Processor', gpu: 'GPU' };

/** Rows of a sweep: powers of two up to the operator's own, and at least up to 64. */
function sweepOf(task: Task): Task[] {
  const most = Math.max(64, task.rows);
  const rows = [];
  for (let count = 1; count <= most && rows.length < 12; count *= 2) rows.push(count);
  return rows.map(count => ({
    ...task,
    rows: count,
    ...(task.kind === 'product' && { type: count === 1 ? 'gemv' : 'gemm' }),
  }));
}

interface Props {
  host: Host;
  machines: Record<Place, Machine | null>;
  busy: boolean; // the machine is being measured
  onRunning: (running: boolean) => void;
  onClose: () => void;
}

export function RunHere({ host, machines, busy, onRunning, onClose }: Props) {
  const operator = host.operator!;
  const asked = operator.formats.find((format): format is Format => FORMATS.includes(format as Format));
  const [place, setPlace] = useState<Place>('cpu');
  const [format, setFormat] = useState<Format>(asked ?? 'fp32');
  const [progress, setProgress] = useState<Progress | null>(null);
  const [fault, setFault] = useState('');
  const [measured, setMeasured] = useState<Measured[]>([]);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const task = taskOf(operator, format, place);
  const machine = machines[place];
  const shown = measured.filter(one => one.place === place);

  const run = async (tasks: Task[]) => {
    const abort = new AbortController();
    running.current = abort;
    setFault('');
    onRunning(true);
    setProgress({ what: 'starting', done: 0 });
    try {
      await runTasks(tasks, place, { signal: abort.signal, report: setProgress }, one =>
        setMeasured(all => [...all, one]),
      );
    } catch (error) {
      if (!(error instanceof Cancelled)) setFault(messageOf(error));
    }
    setProgress(null);
    onRunning(false);
  };
  const openResults = async () => {
    onClose();
    await host.openFiles([{ name: 'run-here.json', blob: new Blob([resultsJson(shown, machine)]) }]);
  };

  return (
    <section aria-label="Run it here" data-state={progress ? 'running' : 'ready'}>
      <h3>Run {operator.type} here</h3>
      <div class="actions">
        <Choice
          label="Where"
          value={place}
          options={[
            ['cpu', NAMES.cpu],
            ['gpu', NAMES.gpu],
          ]}
          onChange={setPlace}
        />
        <Choice
          label="Format"
          value={format}
          options={FORMATS.map(id => [id, id.toUpperCase()] as const)}
          onChange={setFormat}
        />
        {progress ? (
          <>
            <progress value={progress.done} max={1} aria-label="Progress: run it here" />
            <button type="button" onClick={() => running.current?.abort()}>
              Cancel
            </button>
            <span role="status">{progress.what}</span>
          </>
        ) : (
          typeof task !== 'string' && (
            <>
              <button type="button" class="primary" disabled={busy} onClick={() => void run([task])}>
                Run
              </button>
              <button type="button" disabled={busy} onClick={() => void run(sweepOf(task))}>
                Sweep its rows
              </button>
            </>
          )
        )}
      </div>
      {typeof task === 'string' && <p class="muted">Cannot be run here: {task}.</p>}
      {fault && (
        <p class="form-fault" role="alert">
          Not run: {fault}
        </p>
      )}
      {shown.length > 0 && (
        <>
          {machine && <Roofs machine={machine} points={shown.flatMap(pointOf)} />}
          <Table measured={shown} machine={machine} />
          {!machine && <p class="muted">Measure the {NAMES[place]} above to see how far this is from its roof.</p>}
          <div class="actions">
            <button type="button" onClick={() => void openResults()}>
              Open in Predicted vs measured
            </button>
            <button
              type="button"
              onClick={() => download(new Blob([resultsCsv(measured)], { type: 'text/csv' }), 'run-here.csv')}
            >
              CSV
            </button>
          </div>
        </>
      )}
    </section>
  );
}

const sizeOf = ({ kind, rows, columns, depth }: Task) =>
  kind === 'product' ? `${rows} x ${columns} x ${depth}` : `${rows} x ${columns}`;

const pointOf = ({ task, time }: Measured) => {
  const flops = flopsOf(task);
  return flops === null
    ? []
    : [
        {
          name: `${sizeOf(task)}, ${task.format}`,
          intensity: flops / bytesOf(task),
          rate: flops / time.seconds,
          unit: rateUnitOf(task.format),
        },
      ];
};

function Table({ measured, machine }: { measured: Measured[]; machine: Machine | null }) {
  return (
    <div class="scroll" role="region" aria-label="Measured times" tabIndex={0}>
      <table>
        <caption class="visually-hidden">Measured times</caption>
        <thead>
          <tr>
            <th scope="col">Size</th>
            <th scope="col">Format</th>
            <th scope="col">Time</th>
            <th scope="col">Rate</th>
            {machine && <th scope="col">Bound</th>}
            {machine && <th scope="col">Of the bound</th>}
            {machine && <th scope="col">Why</th>}
          </tr>
        </thead>
        <tbody>
          {measured.map((one, i) => {
            const { task, time } = one;
            const flops = flopsOf(task);
            const gap = gapOf(one, machine);
            return (
              <tr key={i}>
                <th scope="row">{sizeOf(task)}</th>
                <td>{task.format.toUpperCase()}</td>
                <td class="number">{seconds(time.seconds)}</td>
                <td class="number">
                  {flops === null
                    ? si(bytesOf(task) / time.seconds, 'B/s')
                    : si(flops / time.seconds, rateUnitOf(task.format))}
                </td>
                {machine && <td class="number">{gap ? `${seconds(gap.bound)}, ${gap.limit}` : '–'}</td>}
                {machine && <td class="number">{gap ? percent(gap.share) : '–'}</td>}
                {machine && (
                  <td class="muted">{gap?.reason ?? `The machine has no ${task.format.toUpperCase()} peak.`}</td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
