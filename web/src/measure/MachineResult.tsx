// A measured machine: its roofs, its figures beside those of a data sheet, and what to do with it.
import { useEffect, useRef, useState } from 'preact/hooks';
import { downloadJson } from '../core/download';
import { figureValue, type Figure, type Machine } from '../core/machine_document';
import { percent, si } from '../format';
import { Select } from '../widgets/Select';
import { likelyDataSheet } from './data_sheet';
import type { Host, ListedMachine } from './host';
import { type ComparedFigure, comparedPeaks } from './machine';
import { Roofs } from './Roofs';

function rowsOf(machine: Machine, other: Machine | null): ComparedFigure[] {
  const memories = machine.memories.map(({ name, bandwidth }, i): ComparedFigure => {
    const same = other?.memories[i === 0 ? 0 : other.memories.findIndex(memory => memory.name === name)];
    return { name, figure: bandwidth!, unit: 'B/s', stated: figureValue(same?.bandwidth ?? same?.read_bandwidth) };
  });
  const launch = machine.launch_s && {
    name: 'Launch',
    figure: machine.launch_s,
    unit: 's',
    stated: figureValue(other?.launch_s),
  };
  return [...comparedPeaks(machine, other), ...memories, ...(launch ? [launch] : [])];
}

const detailOf = (figure: Figure) => (typeof figure === 'object' ? figure?.source?.replace(/^[^:]*: /, '') : '');

/** "It reaches 92% of the bandwidth and 88% of the FP32 peak of NVIDIA GeForce RTX 4090." Empty: the data sheet states neither. */
function reached(rows: readonly ComparedFigure[], machine: Machine, sheet: Machine): string {
  const share = (name: string | undefined, what: string) => {
    const row = rows.find(one => one.name === name);
    return row?.stated ? `${percent(figureValue(row.figure)! / row.stated)} of the ${what}` : '';
  };
  const shares = [share(machine.memories[0]?.name, 'bandwidth'), share('FP32', 'FP32 peak')].filter(Boolean);
  return shares.length > 0 ? `It reaches ${shares.join(' and ')} of ${sheet.name}.` : '';
}

/** The machines to compare with: presets, the user's own, and which of them is likely this one. */
function useDataSheets(machine: Machine, host: Host) {
  const [presets, setPresets] = useState<ListedMachine[]>([]);
  const [sheet, setSheet] = useState<Machine | null>(null);
  const mine = host.mine.filter(({ id }) => id !== machine.id);
  const newest = useRef<string | null>(null);
  const choose = (id: string) => {
    newest.current = id;
    const own = mine.find(one => one.id === id);
    if (own || !id) setSheet(own ?? null);
    else void host.showMachine(id).then(found => newest.current === id && setSheet(found));
  };
  useEffect(() => {
    void host.listMachines().then(listed => {
      setPresets(listed);
      const likely = likelyDataSheet(machine, listed);
      if (likely && newest.current === null) choose(likely.id);
    });
  }, [machine]);
  const likely = likelyDataSheet(machine, presets);
  const options: (readonly [string, string])[] = [
    ['', 'None'],
    ...mine.map(({ id, name }) => [id, `${name} (mine)`] as const),
    ...presets.map(({ id, name }) => [id, id === likely?.id ? `${name} (likely)` : name] as const),
  ];
  return { sheet, options, choose };
}

export function MachineResult({
  machine,
  host,
  onAgain,
}: { machine: Machine; host: Host; onAgain: (() => void) | undefined }) {
  const [said, say] = useState('');
  const { sheet, options, choose } = useDataSheets(machine, host);
  const rows = rowsOf(machine, sheet);
  const share = sheet && reached(rows, machine, sheet);
  return (
    <>
      <Roofs machine={machine} sheet={sheet} />
      <label class="data-sheet">
        Compare with the data sheet of{' '}
        <Select label="Data sheet" value={sheet?.id ?? ''} options={options} onChange={choose} />
      </label>
      {share && <p role="status">{share}</p>}
      <div class="scroll" role="region" aria-label={`Figures of ${machine.name}`} tabIndex={0}>
        <table>
          <caption class="visually-hidden">{machine.name}</caption>
          <thead>
            <tr>
              <th scope="col">Figure</th>
              <th scope="col">Measured</th>
              {sheet && <th scope="col">Of {sheet.name}</th>}
              <th scope="col">How</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, figure, unit, stated }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td class="number">{si(figureValue(figure), unit)}</td>
                {sheet && <td class="number">{stated === null ? '–' : percent(figureValue(figure)! / stated)}</td>}
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
