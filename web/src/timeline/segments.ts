// The core's answer to "steps", and what is said of the segments along time in it.
import type { Frame } from '../core/engine';
import { limitWord } from '../plot/bounds';
import { MARK_WORDS, marksOf, type Mark } from '../plot/marks';

export interface TimeAnswer {
  limits: string[];
  time_s: number;
  untimed: number; // operations of a measured run without a time: they are left out
  repeated: boolean; // an operation ran more than once: all its calls are one segment, at the first
  bins: boolean;
}

/** Its columns. */
export interface Segments {
  start: Float32Array; // s
  length: Float32Array; // s
  limit: Float32Array; // index into the limits
  op: Float32Array;
  class: Float32Array; // index into the source's kinds
  step: Float32Array; // index into the source's steps
}

/** The marks by operation. None for bins, and none in a long run, of whose operations only some are points of the frame. */
export function marksAlong({ op }: Segments, bins: boolean, frame: Frame | null): Map<number, Mark> {
  const marks = bins || !frame ? new Map<number, Mark>() : marksOf(frame);
  return op.every(each => marks.has(each)) ? marks : new Map();
}

/** "memory, near its bound". */
export const limitAndMark = (limit: string, mark: Mark) =>
  [limitWord(limit), MARK_WORDS[mark]].filter(Boolean).join(', ');
