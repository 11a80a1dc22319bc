// Operations of one name are told apart by the sizes of their products.
import type { RowJson } from '../../../wasm/session';

/** The rows; those that share a name have their sizes after it, where they are known. */
export function toldApart(rows: RowJson[]): RowJson[] {
  const counts = new Map<string, number>();
  for (const { name } of rows) counts.set(name, (counts.get(name) ?? 0) + 1);
  return rows.map(row =>
    row.product && counts.get(row.name)! > 1 ? { ...row, name: `${row.name} ${row.product}` } : row,
  );
}
