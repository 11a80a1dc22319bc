// How an operation is marked along time: hue by what limits it, strength by how far it is above its bound.
import { POINT_FLAGS } from '../protocol';
import type { Frame } from '../core/engine';

/** "near" its roof, "far" above its bound, faster than its roof ("above"), or "plain": not measured. */
export type Mark = 'near' | 'far' | 'above' | 'plain';

export const MARK_WORDS: Partial<Record<Mark, string>> = {
  near: 'near its bound',
  above: 'above the roof',
};

const has = ({ flags }: Frame, at: number, flag: number) => (flags[at]! & flag) !== 0;

/** The mark of a point of the frame. */
export function markOf(frame: Frame, at: number): Mark {
  if (has(frame, at, POINT_FLAGS.above_roof)) return 'above';
  if (has(frame, at, POINT_FLAGS.predicted)) return 'plain';
  if (frame.json.ran_elsewhere) return 'plain';
  return has(frame, at, POINT_FLAGS.near_bound) ? 'near' : 'far';
}

/** The limit of a point of the frame: a resource, "neither", or "none" if it is not known or was measured on another machine. */
export function limitOf(frame: Frame, at: number): string {
  if (frame.json.ran_elsewhere && !has(frame, at, POINT_FLAGS.predicted)) return 'none';
  if (has(frame, at, POINT_FLAGS.neither)) return 'neither';
  return has(frame, at, POINT_FLAGS.partly_known) ? 'none' : (frame.json.resources[frame.bound[at]!] ?? 'none');
}

/** The marks of the operations that are points of the frame. */
export function marksOf(frame: Frame): Map<number, Mark> {
  const marks = new Map<number, Mark>();
  frame.points.forEach((op, at) => marks.set(op, markOf(frame, at)));
  return marks;
}
