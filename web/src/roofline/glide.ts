// Animates a change: points glide to their new place and arrows grow, so that the eye can follow.
import type { Frame } from '../core/engine';
import { held } from '../core/pointer';

const GLIDE_MS = 120;
const still = matchMedia('(prefers-reduced-motion: reduce)');

/** Interpolates from one frame to the next. */
export class Glide {
  private from: Frame | null = null;
  private to: Frame | null = null;
  private start = 0;

  /** The frame to draw at a time. No animation during a drag, whose frames are a movement already. */
  at(frame: Frame, now: number): Frame {
    if (frame !== this.to) {
      this.from = this.to && frame.plane === this.to.plane ? this.shown(now) : null;
      this.to = frame;
      this.start = this.from && !held.peek() && !still.matches && moves(this.from, frame) ? now : -Infinity;
    }
    return this.shown(now);
  }

  /** Whether the animation still runs. */
  get moving() {
    return this.start > -Infinity;
  }

  private shown(now: number): Frame {
    const part = (now - this.start) / GLIDE_MS;
    if (part >= 1 || !this.from) {
      this.start = -Infinity;
      return this.to!;
    }
    return between(this.from, this.to!, 1 - (1 - Math.max(0, part)) ** 3);
  }
}

const same = (a: Float32Array, b: Float32Array) =>
  a.length === b.length && a.every((value, i) => Object.is(value, b[i]));

const moves = (from: Frame, to: Frame) =>
  !(
    same(from.intensity, to.intensity) &&
    same(from.attained, to.attained) &&
    same(from.whatif_intensity, to.whatif_intensity) &&
    same(from.whatif_attained, to.whatif_attained)
  );

/** A frame between two others. New points are at their final place at once. */
function between(from: Frame, to: Frame, part: number): Frame {
  const before = new Map(Array.from(from.points, (op, i) => [op, i]));
  const blend = (column: Float32Array, start: (i: number) => number | undefined) =>
    column.map((end, i) => {
      const at = before.get(to.points[i]!);
      const begin = at === undefined ? undefined : start(at);
      return begin !== undefined && begin > 0 && end > 0 ? begin * (end / begin) ** part : end;
    });
  // An arrow that is new grows from its point.
  const tip = (whatif: Float32Array, point: Float32Array) => (i: number) => (whatif.length ? whatif : point)[i];
  return {
    ...to,
    intensity: blend(to.intensity, i => from.intensity[i]),
    attained: blend(to.attained, i => from.attained[i]),
    whatif_intensity: blend(to.whatif_intensity, tip(from.whatif_intensity, from.intensity)),
    whatif_attained: blend(to.whatif_attained, tip(from.whatif_attained, from.attained)),
  };
}
