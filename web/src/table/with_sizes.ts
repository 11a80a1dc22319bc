// Distinguishes operations with the same name by the sizes of their matrix products.
import type { RowJson } from '../../../wasm/session';

/** The rows; those that share a name get their sizes after it, if known. */
export function withSizesForEqualNames(rows: RowJson[]): RowJson[] {
  const counts = new Map<string, number>();
  for (const { name } of rows) counts.set(name, (counts.get(name) ?? 0) + 1);
  return rows.map(row =>
    row.product && counts.get(row.name)! > 1 ? { ...row, name: `${row.name} ${row.product}` } : row,
  );
}
