// Roofs as straight lines in decades, and the ridge points where they meet.
import type { RoofJson } from '../../../wasm/session';
import type { LogWindow } from '../core/view';

export interface RoofLine {
  roof: RoofJson;
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}
export interface Ridge {
  x: number;
  y: number;
  memory: RoofJson;
  peak: RoofJson;
}

/** Whether a roof is drawn: those in play are, unless switched off; the others when switched on. */
export const isShown = (roof: RoofJson, switched: readonly string[]) => roof.in_play !== switched.includes(roof.name);

/** The lines of the roofs within a window, and the ridge points. */
export function roofLines(all: RoofJson[], window: LogWindow): { lines: RoofLine[]; ridges: Ridge[] } {
  const lines: RoofLine[] = [];
  const ridges: Ridge[] = [];
  // The machine's roofs, the achievable ones and those of the what-if each make one roofline.
  for (const whatif of [false, true]) {
    for (const achievable of [false, true]) {
      const roofs = all.filter(roof => roof.whatif === whatif && roof.achievable === achievable);
      const peaks = roofs.filter(({ kind }) => kind === 'compute');
      const slopes = roofs.filter(({ kind }) => kind !== 'compute');
      // A what-if of the peak alone meets today's memory, and one of the memory today's peak.
      const orToday = (group: RoofJson[], compute: boolean) =>
        group.length > 0 || !whatif
          ? group
          : all.filter(roof => !roof.whatif && !roof.achievable && (roof.kind === 'compute') === compute);
      const highest = Math.max(...orToday(peaks, true).map(({ rate }) => Math.log10(rate)));
      const steepest = Math.max(...orToday(slopes, false).map(({ rate }) => Math.log10(rate)));
      for (const roof of slopes) {
        const rate = Math.log10(roof.rate);
        const end = Number.isFinite(highest) ? Math.min(window.x1, highest - rate) : window.x1;
        lines.push({ roof, x0: window.x0, y0: window.x0 + rate, x1: end, y1: end + rate });
      }
      for (const roof of peaks) {
        const y = Math.log10(roof.rate);
        const start = Number.isFinite(steepest) ? Math.max(window.x0, y - steepest) : window.x0;
        lines.push({ roof, x0: start, y0: y, x1: window.x1, y1: y });
      }
      const memory = slopes[0];
      if (memory && !achievable) {
        const inPlayLast = [...peaks].sort((a, b) => Number(a.in_play) - Number(b.in_play));
        for (const peak of new Map(inPlayLast.map(peak => [peak.rate, peak])).values()) // equal peaks share one ridge
          ridges.push({ x: Math.log10(peak.rate / memory.rate), y: Math.log10(peak.rate), memory, peak });
      }
    }
  }
  return { lines, ridges };
}
