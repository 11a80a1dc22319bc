// Shared by all probes: the best of repeats, progress, disturbances.
import { percent } from '../format';

/** The best of one or more rates, and how far the median stays below it, as a fraction of it; NaN: measured once. */
export interface Best {
  rate: number;
  spread: number;
}

export function bestOf(rates: number[]): Best {
  const sorted = [...rates].sort((a, b) => a - b);
  const best = sorted.at(-1) ?? NaN;
  return { rate: best, spread: sorted.length > 1 ? 1 - sorted[sorted.length >> 1]! / best : NaN };
}

/** The shortest of one or more times, and how far the median is above it, as a fraction of it; NaN: measured once. */
export interface Shortest {
  seconds: number;
  spread: number;
}

export function shortestOf(times: number[]): Shortest {
  const { rate, spread } = bestOf(times.map(seconds => 1 / seconds));
  return { seconds: 1 / rate, spread: 1 / (1 - spread) - 1 };
}

export interface Progress {
  what: string;
  done: number; // of 1
}

export interface Run {
  signal: AbortSignal;
  report(progress: Progress): void;
}

/** The user has ended it. */
export class Cancelled extends Error {}

export function throwIfCancelled(signal: AbortSignal) {
  if (signal.aborted) throw new Cancelled();
}

/** A promise that is given up when the run is cancelled. */
export function unlessCancelled<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  throwIfCancelled(signal);
  return new Promise((resolve, reject) => {
    const cancel = () => reject(new Cancelled());
    signal.addEventListener('abort', cancel, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', cancel));
  });
}

/** The smallest step that the clock makes, in seconds: browsers coarsen it. */
export function clockStep(): number {
  let step = Infinity;
  for (let i = 0; i < 5; ++i) {
    const start = performance.now();
    let next = start;
    while (next === start) next = performance.now();
    step = Math.min(step, next - start);
  }
  return step / 1000;
}

declare global {
  interface Navigator {
    getBattery?: () => Promise<{ charging: boolean }>; // Chromium
  }
}

const STEADY = 0.9;

/** What to say where the same probe is clearly slower at the end of a measurement than it was at the start. */
export const throttled = (what: string, first: Best, last: Best): string[] =>
  last.rate < STEADY * first.rate
    ? [
        `${what} fell to ${percent(last.rate / first.rate)} of its first rate while this was measured: it throttles, or something else began to run. Let it cool down and measure again.`,
      ]
    : [];

/** Watches for what lowers the figures; `stop` says what was seen, a sentence each. */
export function watchDisturbances(): { stop(): Promise<string[]> } {
  let hidden = document.hidden;
  const look = () => (hidden ||= document.hidden);
  document.addEventListener('visibilitychange', look);
  return {
    async stop() {
      document.removeEventListener('visibilitychange', look);
      const battery = await navigator.getBattery?.().catch(() => undefined);
      return [
        ...(hidden ? ['The tab was hidden while it measured, which slows it down: measure again.'] : []),
        ...(battery?.charging === false ? ['The computer runs on its battery, which may lower its clock.'] : []),
      ];
    },
  };
}
