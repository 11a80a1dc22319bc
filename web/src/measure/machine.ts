// Converts measurements to a machine: each figure has the basis "measured", its probe and its spread.
import { slug, figureValue, type Figure, type Machine } from '../core/machine_document';
import { rateUnitOf, si } from '../format';
import type { MeasuredCpu, MeasuredPeak } from './cpu';
import type { MeasuredGpu } from './gpu/gpu';
import type { MatrixUnits } from './gpu/matrix_units';
import { sizeText, type Level } from './levels';
import type { Best } from './probing';
import { isRelaxed } from './relaxed';

/** "Chromium 156", "Firefox 140": of the user agent. */
function browserName(agent = navigator.userAgent): string {
  const found = /(Firefox|Edg|OPR|Chrome)\/(\d+)/.exec(agent) ?? /Version\/(\d+).* (Safari)/.exec(agent);
  if (!found) return 'a browser';
  const [name, version] = /^\d/.test(found[1]!) ? [found[2], found[1]] : [found[1], found[2]];
  return `${{ Edg: 'Edge', OPR: 'Opera' }[name!] ?? name} ${version}`;
}

const dateText = (date = new Date()) => date.toISOString().slice(0, 10);

const percent = (fraction: number) => `${Number((100 * fraction).toPrecision(2))}%`;

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

const ON_UNITS = 'on matrix units';
const isOfUnits = (figure: Figure) =>
  typeof figure === 'object' && figure !== null && (figure.source ?? '').includes(ON_UNITS);

export interface ComparedFigure {
  name: string;
  figure: Figure;
  unit: string;
  stated: number | null; // by the data sheet, of the same units as far as it tells
}

/** Pairs measured peaks with a data sheet's: its matrix peak for those on matrix units, else its vector peak if it has one. */
export function comparedPeaks({ peaks }: Machine, sheet: Machine | null): ComparedFigure[] {
  const { matrix = {}, vector = {} } = peaks;
  const stated = (format: string) => figureValue(sheet?.peaks.vector?.[format] ?? sheet?.peaks.matrix?.[format]);
  return Object.entries(matrix).flatMap(([format, figure]): ComparedFigure[] => {
    const [name, unit] = [format.toUpperCase(), rateUnitOf(format)];
    if (!isOfUnits(figure)) return [{ name, figure, unit, stated: stated(format) }];
    const ofUnits = { name: `${name}, matrix units`, figure, unit, stated: figureValue(sheet?.peaks.matrix?.[format]) };
    return vector[format] ? [{ name, figure: vector[format], unit, stated: stated(format) }, ofUnits] : [ofUnits];
  });
}

/** Matrix products run on the matrix units where they were measured, else on the vector units. */
function peaksOf<Peak extends { format: string; all: Best; units?: MatrixUnits | null }>(
  peaks: Peak[],
  howOf: (peak: Peak) => string,
): Machine['peaks'] {
  const figures = (measured: Peak[]) =>
    Object.fromEntries(
      measured.map(peak => {
        const { format, all, units } = peak;
        const { M, N, K } = units?.config ?? {};
        const where = units ? `${ON_UNITS} (subgroup matrices of ${M} x ${N} x ${K})` : 'in registers';
        return [format, figureOf(all.rate, all.spread, `multiply-adds ${where}, ${howOf(peak)}`)];
      }),
    );
  const ofUnits = peaks.filter(({ units }) => units);
  const vector = peaks.filter(({ units }) => !units);
  return {
    matrix: figures([...vector, ...ofUnits]),
    vector: figures(vector.filter(({ format }) => format !== 'int8')),
  };
}

const otherWays = (where: string, write: Best, copy: Best) =>
  `In the largest ${where} writing reaches ${si(write.rate, 'B/s')}, copying ${si(copy.rate, 'B/s')} (bytes read and bytes written).`;

/** The ids of machines that were measured here, on another visit. */
export const CPU_ID = /^measured-cpu-in-webassembly/;
export const GPU_ID = /^measured-.*-webgpu$/;

export function cpuMachine({ cores: count, peaks, levels, write, copy, remarks }: MeasuredCpu): Machine {
  const name = `CPU ${IN_WASM}, ${cores(count)}`;
  const relaxed = peaks.some(({ probe }) => isRelaxed(probe));
  const plainOf = ({ format, plain }: MeasuredPeak) => `${format.toUpperCase()} ${si(plain.rate, rateUnitOf(format))}`;
  return {
    id: slug(`measured ${name}`),
    name: `${name}, measured`,
    peaks: peaksOf(peaks, peak => `${cores(count)}, ${instructionsOf(peak)}`),
    memories: memoriesOf(levels, `per core, ${cores(count)}, ${IN_WASM}`),
    notes: [
      `Peaks and bandwidths ${IN_WASM}: without wider vectors${relaxed ? '' : ' and fused multiply-adds'}, which native code may have. The command "roofline measure" measures those.`,
      ...(relaxed ? [`Without relaxed SIMD: ${peaks.map(plainOf).join(', ')}.`] : []),
      ...(count > 1
        ? peaks.map(({ format, one }) => `${format.toUpperCase()} by one core: ${si(one.rate, rateUnitOf(format))}.`)
        : []),
      otherWays('working set', write, copy),
      ...remarks,
    ],
  };
}

export function gpuMachine({ name, clock, peaks, levels, write, copy, launch, remarks }: MeasuredGpu): Machine {
  const withUnits = peaks.filter(({ units }) => units).map(({ format }) => format.toUpperCase());
  const dots = withUnits.includes('INT8') && peaks.find(({ format, units }) => format === 'int8' && !units);
  return {
    id: slug(`measured ${name} webgpu`),
    name: `${name} by WebGPU, measured`,
    peaks: peaksOf(peaks, () => `WebGPU, ${clock}`),
    memories: memoriesOf(levels, `buffers, WebGPU, ${clock}`),
    launch_s: figureOf(launch.seconds, launch.spread, `one of many empty kernels in a row, WebGPU, ${clock}`),
    notes: [
      `What this browser reaches through WebGPU, on the units that its shaders use: matrix units ${withUnits.length > 0 ? `only for ${withUnits.join(' and ')}` : 'are not among them'}.`,
      ...(dots ? [`INT8 without matrix units: ${si(dots.all.rate, 'OP/s')}.`] : []),
      otherWays('buffer', write, copy),
      ...remarks,
    ],
  };
}
