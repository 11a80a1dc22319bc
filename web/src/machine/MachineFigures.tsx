// Every figure of the machine with its basis and source.
import type { ComponentChildren } from 'preact';
import { percent, rate, seconds, si, unitsIn, type Units, count } from '../format';
import { formatName } from '../core/catalogue';
import { units } from '../core/engine';
import { figureValue, type Figure, type Machine } from '../core/machine_document';
import { Dialog } from '../widgets/Dialog';
import { machineName } from './machine_options';

/** Every figure of a machine with where it comes from. */
export function MachineFigures({ machine, onClose }: { machine: Machine; onClose: () => void }) {
  return (
    <Dialog title={machineName(machine)} onClose={onClose}>
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">Figure</th>
            <th scope="col">Value</th>
            <th scope="col">Basis</th>
            <th scope="col">Source</th>
          </tr>
        </thead>
        <tbody>
          {rowsOf(machine, units.value).map(([name, value, figure]) => (
            <Row key={name} name={name} value={value} figure={figure} sources={machine.sources ?? {}} />
          ))}
        </tbody>
      </table>
      {machine.notes?.map(note => (
        <p key={note}>{note}</p>
      ))}
    </Dialog>
  );
}

type FigureRow = [string, ComponentChildren, Figure];

function rowsOf(
  { peaks, memories, links = [], achievable, launch_s, units: side, tdp_w, price_usd }: Machine,
  unit: Units,
): FigureRow[] {
  const row = (name: string, figure: Figure | undefined, show: (value: number) => string): FigureRow[] => {
    const value = figureValue(figure);
    return value === null ? [] : [[name, show(value), figure!]];
  };
  const flops = (format: string) => (value: number) => rate(value, unitsIn(unit, format));
  const bandwidth = (value: number) => si(value, 'B/s');
  /** Formats of one rate, basis and source are one row. */
  const peakRows = (unitOf: string, of: Record<string, Figure> = {}) => {
    const groups = new Map<string, [formats: string[], figure: Figure]>();
    for (const [format, figure] of Object.entries(of)) {
      const key = JSON.stringify([figure, unitsIn(unit, format).rate]);
      groups.set(key, [[...(groups.get(key)?.[0] ?? []), format], figure]);
    }
    return [...groups.values()].flatMap(([formats, figure]) =>
      row(`${formats.map(formatName).join(', ')} (${unitOf})`, figure, flops(formats[0]!)),
    );
  };
  return [
    ...peakRows('matrix', peaks.matrix),
    ...peakRows('vector', peaks.vector),
    ...memories.flatMap(memory => [
      ...row(`${memory.name} bandwidth`, memory.bandwidth, bandwidth),
      ...row(`${memory.name} read`, memory.read_bandwidth, bandwidth),
      ...row(`${memory.name} write`, memory.write_bandwidth, bandwidth),
      ...row(`${memory.name} capacity`, memory.capacity, value => si(value, 'B')),
    ]),
    ...links.flatMap(link => row(`${link.name}, one direction`, link.bandwidth, bandwidth)),
    ...row('Achievable compute', achievable?.compute, percent),
    ...row('Achievable bandwidth', achievable?.bandwidth, percent),
    ...row('Launch', launch_s, seconds),
    ...row('Matrix units', side, String),
    ...row('Power', tdp_w, value => `${value} W`),
    ...row('Price', price_usd, value => `$${count(value)}`),
  ];
}

function Row({
  name,
  value,
  figure,
  sources,
}: { name: string; value: ComponentChildren; figure: Figure; sources: Record<string, string> }) {
  const { basis, source, note } = typeof figure === 'object' ? figure : { basis: 'typed', source: '', note: '' };
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="number">{value}</td>
      <td>{basis}</td>
      <td>
        {sources[source ?? ''] ?? source}
        {note && <div class="muted">{note}</div>}
      </td>
    </tr>
  );
}
