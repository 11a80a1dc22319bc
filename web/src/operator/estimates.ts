// The estimates of the open operator, one per format: its headline compares them, so its table shows them.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { askBeside, useAnswer } from '../core/ask';
import { operator } from './operator';

interface Rows {
  rows: { index: number; typical_time_s: number | null }[];
}

/** Seconds by index of the row; empty where no operator is open. */
export const estimates = signal<ReadonlyMap<number, number | null>>(new Map());

/** Keeps the estimates up to date while the table is shown. */
export function useEstimates() {
  const answer = useAnswer<Rows>('formats', operator.value && {}, askBeside);
  const rows = operator.value && answer && 'json' in answer ? answer.json.rows : null;
  useEffect(() => () => void (estimates.value = new Map()), []);
  useEffect(() => {
    estimates.value = new Map(rows?.map(({ index, typical_time_s }) => [index, typical_time_s]));
  }, [rows]);
}
