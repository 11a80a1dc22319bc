// Caches and memory as the steps of bandwidth over the working set.
import type { Kernels } from './module';
import type { Best } from './probing';

export interface MeasuredSet extends Best {
  bytes: number; // the working set; of one core, where there are several
}

export interface Level {
  name: string;
  first: number; // bytes of the smallest working set and the largest
  last: number;
  rate: number;
  spread: number; // the largest among its sets
}

/** The levels of a curve, which the core's own definition finds (tools/measure/probes/levels.hpp). */
export function levelsOf(curve: MeasuredSet[], kernels: Kernels): Level[] {
  const at = kernels.allocate(curve.length * 3 * 8);
  const numbers = () => new Float64Array(kernels.memory.buffer, at, curve.length * 3);
  numbers().set(curve.flatMap(({ bytes, rate }) => [bytes, rate]));
  const count = kernels.levels(at, curve.length);
  const found = numbers();
  const levels = Array.from({ length: count }, (_, i): Level => {
    const [first, last, rate] = found.subarray(3 * i, 3 * i + 3) as unknown as [number, number, number];
    const sets = curve.slice(first, last + 1);
    return {
      name: i === count - 1 ? 'DRAM' : `L${i + 1}`,
      first: sets[0]!.bytes,
      last: sets.at(-1)!.bytes,
      rate,
      spread: Math.max(...sets.map(({ spread }) => spread).filter(Number.isFinite)),
    };
  });
  kernels.release(at);
  return levels;
}

/** "24 KiB", "1.5 MiB". */
export const sizeText = (bytes: number) =>
  bytes >= 2 ** 20 ? `${bytes / 2 ** 20} MiB` : bytes >= 1024 ? `${bytes / 1024} KiB` : `${bytes} B`;
