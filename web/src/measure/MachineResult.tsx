// A measured machine: its roofs, its figures beside those of the chosen machine, and what to do with it.
import { useState } from 'preact/hooks';
import { downloadJson } from '../core/download';
import type { Figure, Machine } from '../core/engine';
import { percent, si } from '../format';
import type { Host } from './host';
import { numberOf } from './machine';
import { Roofs } from './Roofs';

interface Row {
  name: string;
  figure: Figure;
  unit: string;
  stated: number | null; // by the chosen machine
}

function rowsOf(machine: Machine, other: Machine | null): Row[] {
  const memories = machine.memories.map(({ name, bandwidth }, i): Row => {
    const same = other?.memories[i === 0 ? 0 : other.memories.findIndex(memory => memory.name === name)];
    return { name, figure: bandwidth!, unit: 'B/s', stated: numberOf(same?.bandwidth ?? same?.read_bandwidth) };
  });
  const peaks = Object.entries(machine.peaks.matrix ?? {}).map(
    ([format, figure]): Row => ({
      name: format.toUpperCase(),
      figure,
      unit: 'FLOP/s',
      // What ran are vector instructions, or shaders.
      stated: numberOf(other?.peaks.vector?.[format] ?? other?.peaks.matrix?.[format]),
    }),
  );
  const launch = machine.launch_s && {
    name: 'Launch',
    figure: machine.launch_s,
    unit: 's',
    stated: numberOf(other?.launch_s),
  };
  return [...peaks, ...memories, ...(launch ? [launch] : [])];
}

const detailOf = (figure: Figure) => (typeof figure === 'object' ? figure?.source?.replace(/^[^:]*: /, '') : '');

export function MachineResult({
  machine,
  host,
  onAgain,
}: { machine: Machine; host: Host; onAgain: (() => void) | undefined }) {
  const [said, say] = useState('');
  const rows = rowsOf(machine, host.machine);
  const other = host.machine?.name ?? '';
  const comparable = rows.some(({ stated }) => stated !== null);
  const [compared, compare] = useState(false);
  return (
    <>
      <Roofs machine={machine} />
      <div class="scroll" role="region" aria-label={`Figures of ${machine.name}`} tabIndex={0}>
        <table>
          <caption class="visually-hidden">{machine.name}</caption>
          <thead>
            <tr>
              <th scope="col">Figure</th>
              <th scope="col">Measured</th>
              {compared && <th scope="col">Of {other}</th>}
              <th scope="col">How</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, figure, unit, stated }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td class="number">{si(numberOf(figure), unit)}</td>
                {compared && <td class="number">{stated === null ? '–' : percent(numberOf(figure)! / stated)}</td>}
                <td class="muted">{detailOf(figure)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {machine.notes?.map(note => (
        <p key={note} class="muted">
          {note}
        </p>
      ))}
      <div class="actions">
        <button
          type="button"
          class="primary"
          onClick={() => {
            const kept = host.saveMachine(machine);
            host.chooseMachine(machine);
            say(kept ? 'In use, and kept among my machines.' : 'In use. This browser cannot keep it: export it.');
          }}
        >
          Use this machine
        </button>
        <button type="button" onClick={() => downloadJson(machine, `${machine.id}.json`)}>
          Export
        </button>
        {comparable && !compared && (
          <button type="button" onClick={() => compare(true)}>
            Compare with {other}
          </button>
        )}
        {onAgain && (
          <button type="button" onClick={onAgain}>
            Measure again
          </button>
        )}
        <span role="status">{said}</span>
      </div>
    </>
  );
}
