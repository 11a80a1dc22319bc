// Converts measurements to a machine: each figure has the basis "measured", its probe and its spread.
import type { Figure, Machine } from '../core/engine';
import { si } from '../format';
import type { MeasuredCpu, MeasuredPeak } from './cpu';
import type { MeasuredGpu } from './gpu/gpu';
import { sizeText, type Level } from './levels';
import type { Best } from './probing';
import { isRelaxed } from './relaxed';

/** "Chromium 156", "Firefox 140": of the user agent. */
export function browserName(agent = navigator.userAgent): string {
  const found = /(Firefox|Edg|OPR|Chrome)\/(\d+)/.exec(agent) ?? /Version\/(\d+).* (Safari)/.exec(agent);
  if (!found) return 'a browser';
  const [name, version] = /^\d/.test(found[1]!) ? [found[2], found[1]] : [found[1], found[2]];
  return `${{ Edg: 'Edge', OPR: 'Opera' }[name!] ?? name} ${version}`;
}

export const dateText = (date = new Date()) => date.toISOString().slice(0, 10);

/** The number of a figure; null: unknown. Not imported from core/engine.ts, which would bring a second copy of the page's state. */
export const numberOf = (figure: Figure | undefined) =>
  typeof figure === 'object' ? (figure?.value ?? null) : (figure ?? null);

const percent = (fraction: number) => `${Number((100 * fraction).toPrecision(2))}%`;

export const slug = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** A figure of a probe, with its source in words. */
const figureOf = (value: number, spread: number, how: string): Figure => ({
  value,
  source: `Measured in ${browserName()}, ${dateText()}: ${how}; ${Number.isFinite(spread) ? `best of repeats, the median ${percent(spread)} below` : 'measured once'}`,
  basis: 'measured',
});

const IN_WASM = 'in WebAssembly, 128 bit';
/** The instructions that reached a peak. */
const instructionsOf = ({ format, probe }: MeasuredPeak) => {
  if (!isRelaxed(probe)) return IN_WASM;
  return `${IN_WASM}, relaxed SIMD${format === 'int8' ? ' (products of 8 and 7 bits)' : ''}`;
};
const cores = (count: number) => `${count} ${count === 1 ? 'core' : 'cores'}`;

/** The memory first, then the caches from the outermost inward. */
const memoriesOf = (levels: Level[], how: string) =>
  [...levels].reverse().map(level => ({
    name: level.name,
    bandwidth: figureOf(level.rate, level.spread, `reading ${sizeText(level.first)} to ${sizeText(level.last)} ${how}`),
  }));

function peaksOf<Peak extends { format: string; all: Best }>(
  peaks: Peak[],
  howOf: (peak: Peak) => string,
): Machine['peaks'] {
  const figures = peaks.map(peak => {
    const { format, all } = peak;
    return [format, figureOf(all.rate, all.spread, `multiply-adds in registers, ${howOf(peak)}`)] as const;
  });
  return { matrix: Object.fromEntries(figures), vector: Object.fromEntries(figures.filter(([id]) => id !== 'int8')) };
}

const otherWays = (where: string, write: Best, copy: Best) =>
  `In the largest ${where} writing reaches ${si(write.rate, 'B/s')}, copying ${si(copy.rate, 'B/s')} (bytes read and bytes written).`;

/** The ids of machines that were measured here, on another visit. */
export const CPU_ID = /^measured-cpu-in-webassembly/;
export const GPU_ID = /^measured-.*-webgpu$/;

export function cpuMachine({ cores: count, peaks, levels, write, copy, remarks }: MeasuredCpu): Machine {
  const name = `CPU ${IN_WASM}, ${cores(count)}`;
  const relaxed = peaks.some(({ probe }) => isRelaxed(probe));
  const plainOf = ({ format, plain }: MeasuredPeak) => `${format.toUpperCase()} ${si(plain.rate, 'FLOP/s')}`;
  return {
    id: slug(`measured ${name}`),
    name: `${name}, measured`,
    peaks: peaksOf(peaks, peak => `${cores(count)}, ${instructionsOf(peak)}`),
    memories: memoriesOf(levels, `per core, ${cores(count)}, ${IN_WASM}`),
    notes: [
      `Peaks and bandwidths ${IN_WASM}: without wider vectors${relaxed ? '' : ' and fused multiply-adds'}, which native code may have. The command "roofline measure" measures those.`,
      ...(relaxed ? [`Without relaxed SIMD: ${peaks.map(plainOf).join(', ')}.`] : []),
      ...(count > 1
        ? peaks.map(({ format, one }) => `${format.toUpperCase()} by one core: ${si(one.rate, 'FLOP/s')}.`)
        : []),
      otherWays('working set', write, copy),
      ...remarks,
    ],
  };
}

export function gpuMachine({ name, clock, peaks, levels, write, copy, launch, remarks }: MeasuredGpu): Machine {
  return {
    id: slug(`measured ${name} webgpu`),
    name: `${name} by WebGPU, measured`,
    peaks: peaksOf(peaks, () => `WebGPU, ${clock}`),
    memories: memoriesOf(levels, `buffers, WebGPU, ${clock}`),
    launch_s: figureOf(launch.seconds, launch.spread, `one of many empty kernels in a row, WebGPU, ${clock}`),
    notes: [
      'What this browser reaches through WebGPU, on the units that its shaders use: matrix units are not among them.',
      otherWays('buffer', write, copy),
      ...remarks,
    ],
  };
}
