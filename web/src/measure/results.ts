// Writes measured operators as a results table (docs/guide/measuring.md), which the page opens in Predicted vs measured.
import type { Machine } from '../core/engine';
import type { Measured } from './run_task';
import type { Task } from './tasks';

const lengthsOf = ({ kind, rows, columns, depth }: Task) =>
  kind === 'product' ? [rows, columns, depth] : [rows, columns];

/** Microseconds, to the nanosecond. */
const timeOf = ({ time }: Measured) => Number((time.rate * 1e6).toFixed(3));

export const resultsCsv = (measured: Measured[]) =>
  [
    'operator,shape,format,measured_us,where',
    ...measured.map(one =>
      [one.task.type, lengthsOf(one.task).join('x'), one.task.format, timeOf(one), one.place].join(),
    ),
    '',
  ].join('\n');

/** With the machine that it was measured on, if there is one. */
export const resultsJson = (measured: Measured[], machine: Machine | null) =>
  JSON.stringify({
    ...(machine && { machine }),
    results: measured.map(one => ({
      operator: one.task.type,
      ...(one.task.kind === 'product'
        ? { m: one.task.rows, n: one.task.columns, k: one.task.depth }
        : { shape: lengthsOf(one.task) }),
      format: one.task.format,
      ...(one.task.format === 'int8' && { output_format: 'int32' }),
      measured_us: timeOf(one),
    })),
  });
