// The core's answer to "steps": its segments along time, and their marks.
import type { Frame } from '../core/engine';
import { limitWord } from '../plot/bounds';
import { MARK_WORDS, marksOf, type Mark } from '../plot/marks';

export interface TimeAnswer {
  limits: string[];
  time_s: number;
  untimed: number; // operations of a measured run without a time: they are left out
  repeated: boolean; // an operation ran more than once: all its calls are one segment, at the first
  bins: boolean;
  launched: boolean; // each segment is a launch when it ran: in the gaps the device idles
}

/** The columns of the answer. */
export interface Segments {
  start: Float32Array; // s
  length: Float32Array; // s
  limit: Float32Array; // index into the limits
  op: Float32Array;
  class: Float32Array; // index into the source's kinds
  step: Float32Array; // index into the source's steps
}

/** The mark of each operation. Empty for bins, and for a long run in which some operations are not points of the frame. */
export function segmentMarks({ op }: Segments, bins: boolean, frame: Frame | null): Map<number, Mark> {
  const marks = bins || !frame ? new Map<number, Mark>() : marksOf(frame);
  return op.every(each => marks.has(each)) ? marks : new Map();
}

/** "memory, near its bound". */
export const limitAndMark = (limit: string, mark: Mark) =>
  [limitWord(limit), MARK_WORDS[mark]].filter(Boolean).join(', ');
