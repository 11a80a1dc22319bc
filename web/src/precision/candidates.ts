// The formats that are compared: what their chart and their table share.
import type { PrecisionJson } from '../../../wasm/session';
import { NONE, range, seconds } from '../format';
import { formatName } from '../core/catalogue';
import { LEAST_GAIN } from '../protocol';

export type Candidate = PrecisionJson['formats'][number];

/** Whether a format keeps `db`; true if its accuracy is not known. */
export const reaches = ({ exact, sqnr_db }: Candidate, db: number) => exact || sqnr_db === null || sqnr_db >= db;

/** Whether the table prints it in bold: accurate enough, faster than today, and no other is as fast and as accurate. */
export const isBest = (format: Candidate, db: number) =>
  format.pareto &&
  (format.exact || (format.sqnr_db !== null && format.sqnr_db >= db)) &&
  (format.speedup_optimistic ?? 0) >= LEAST_GAIN;

/** Candidates by the chart and the table. */
export interface Candidates {
  formats: Candidate[];
  threshold: number; // dB to keep
  chosen: string | null;
  pointed: string | null;
  point: (id: string | null) => void;
  choose: (format: Candidate) => void;
}

export const decibels = ({ sqnr_db, exact }: Candidate) =>
  exact ? 'exact' : sqnr_db === null ? NONE : sqnr_db.toFixed(1);

/** A format and its figures in one line. */
export function summary(format: Candidate) {
  const computes =
    format.computes_as && format.computes_as !== format.id ? `, computes as ${formatName(format.computes_as)}` : '';
  return `${format.name}: ${range(format.speedup_pessimistic, format.speedup_optimistic)}, ${decibels(format)}${format.exact ? '' : ' dB'}, bound ${seconds(format.predicted_time_s)}${computes}${format.weights_only ? ', weights only' : ''}`;
}
