// Writes measured operators as a results table (docs/guide/measuring.md), which the page opens in Predicted vs measured.
import type { Machine } from '../core/machine_document';
import type { Measured } from './run_task';
import type { Task } from './tasks';

const lengthsOf = ({ kind, rows, columns, depth }: Task) =>
  kind === 'product' ? [rows, columns, depth] : [rows, columns];

/** INT8 products are of 32 bits. */
const outputOf = ({ format }: Task) => (format === 'int8' ? 'int32' : format);

/** Microseconds, to the nanosecond. */
const timeOf = ({ time }: Measured) => Number((time.seconds * 1e6).toFixed(3));

export const resultsCsv = (measured: Measured[]) =>
  [
    'operator,shape,format,output_format,measured_us,where',
    ...measured.map(one =>
      [
        one.task.type,
        lengthsOf(one.task).join('x'),
        one.task.format,
        outputOf(one.task),
        timeOf(one),
        one.place,
      ].join(),
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
      ...(outputOf(one.task) !== one.task.format && { output_format: outputOf(one.task) }),
      measured_us: timeOf(one),
    })),
  });
