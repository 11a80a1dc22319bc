// The changes of a comparison, one row per type of operation.
import type { CompareJson, TypeChangeJson } from '../../../wasm/session';
import { count } from '../format';
import { changeTable } from '../core/view';
import { AFTER, BEFORE, ChangeHead, SPEEDUP, TIME_CHANGE, TimeCells, Totals, widthOf, type ChangeColumn } from './rows';

const columnsBy = (by: CompareJson['sum_by']): ChangeColumn[] => [
  { id: 'type', title: by === 'family' ? 'Family' : 'Type', width: 0, sort: 'type', text: true },
  TIME_CHANGE,
  SPEEDUP,
  BEFORE,
  AFTER,
  { id: 'ops', title: 'Operations', width: 108 },
];

/** `types`: all types of both runs. */
export function Types({ json, types }: { json: CompareJson; types: string[] }) {
  const columns = columnsBy(json.sum_by);
  return (
    <table role="grid" style={widthOf(columns)} aria-label="Changes by type" aria-rowcount={json.types + 1}>
      <ChangeHead columns={columns} />
      <tbody>
        {json.by_type.map(change => (
          <Row key={change.type} of={change} types={types} />
        ))}
      </tbody>
      <Totals {...json} columns={columns.length} />
    </table>
  );
}

function Row({ of, types }: { of: TypeChangeJson; types: string[] }) {
  const { type, types: parts, ops_a, ops_b } = of;
  const filter = () => changeTable({ types: parts.length < types.length ? parts : undefined, compareBy: undefined });
  const written = parts.length > 1 ? `${parts.join(', ')}: ` : '';
  return (
    <tr>
      <td>
        <button type="button" class="link" title={`${written}list only these operations`} onClick={filter}>
          {type}
        </button>
      </td>
      <TimeCells of={of} a={ops_a > 0} b={ops_b > 0} />
      <td class="number">{ops_a === ops_b ? count(ops_a) : `${count(ops_a)} → ${count(ops_b)}`}</td>
    </tr>
  );
}
