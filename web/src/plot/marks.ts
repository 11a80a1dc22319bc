// How an operation is marked along time: hue by what limits it, strength by how far it is above its bound.
import { POINT_FLAGS } from '../protocol';
import type { Frame } from '../core/engine';

/** "near" its roof, "far" above its bound, faster than its roof ("above"), or "plain": not measured. */
export type Mark = 'near' | 'far' | 'above' | 'plain';

export const MARK_WORDS: Partial<Record<Mark, string>> = {
  near: 'near its bound',
  above: 'above the roof',
};

/** The marks of the operations that are points of the frame. */
export function marksOf({ json, points, status, flags }: Frame): Map<number, Mark> {
  const marks = new Map<number, Mark>();
  points.forEach((op, at) => {
    const has = (flag: number) => (flags[at]! & flag) !== 0;
    marks.set(
      op,
      has(POINT_FLAGS.above_roof)
        ? 'above'
        : has(POINT_FLAGS.predicted)
          ? 'plain'
          : json.statuses[status[at]!]!.endsWith('-bound') && !has(POINT_FLAGS.neither)
            ? 'near'
            : 'far',
    );
  });
  return marks;
}
