// relaxed.wasm, as a worker has it (wasm/measure/relaxed.wat): the processor's peaks and products in WebAssembly's relaxed SIMD.
import { now, PROBES, type Kernels } from './module';

type Chains = (at: number, rounds: number) => void; // continues the chains at this address

interface Exports {
  fp64: Chains;
  fp32: Chains;
  int8: Chains;
  int8_by_pairs: Chains;
  product(tile: number, a: number, packed: number, c: number, m: number, n: number, steps: number): void;
}

const CHAINS = 12;
const VECTOR_BYTES = 16;
const ROUNDS = 10_000; // between two looks at the clock
const CHECKED_ROUNDS = 50;
const FEWEST_ROWS = 6; // of a product's tile

const multiplyAdd = (x: number) => x * 0.999 + 0.5;
/** x plus its four bytes times 3, 5, 3 and 5, modulo 2^32. */
const addBytes = (x: number) =>
  (x + 3 * ((x << 24) >> 24) + 5 * ((x << 16) >> 24) + 3 * ((x << 8) >> 24) + 5 * (x >> 24)) | 0;

/** What a round does in each lane, its operations in a vector, and how far a result may be from the reference, as a fraction of it. */
const FP64 = { Lanes: Float64Array, step: multiplyAdd, operations: 4, tolerance: 1e-12 };
const FP32 = { Lanes: Float32Array, step: multiplyAdd, operations: 8, tolerance: 1e-5 };
const INT8 = { Lanes: Int32Array, step: addBytes, operations: 32, tolerance: 0 };

const KERNELS = {
  relaxed_fp64: { ...FP64, name: 'fp64' },
  relaxed_fp32: { ...FP32, name: 'fp32' },
  relaxed_int8: { ...INT8, name: 'int8' },
  relaxed_int8_by_pairs: { ...INT8, name: 'int8_by_pairs' },
} as const;

export type RelaxedProbe = keyof typeof KERNELS;
const RELAXED_PROBES = Object.keys(KERNELS) as RelaxedProbe[];
export const isRelaxed = (probe: string): probe is RelaxedProbe => probe in KERNELS;

export class Relaxed {
  /** Probes whose results differ from the reference. */
  readonly wrong: RelaxedProbe[];
  private readonly chains: number;
  private dots: boolean | undefined;

  private constructor(
    private readonly relaxed: Exports,
    private readonly kernels: Kernels,
  ) {
    this.chains = kernels.allocate(CHAINS * VECTOR_BYTES);
    if (this.chains === 0) throw new Error('there is no memory for the kernels in relaxed SIMD');
    this.wrong = RELAXED_PROBES.filter(probe => !this.right(probe));
  }

  static async start(wasm: ArrayBuffer, kernels: Kernels): Promise<Relaxed> {
    const { instance } = await WebAssembly.instantiate(wasm, { measure: { memory: kernels.memory } });
    return new Relaxed(instance.exports as unknown as Exports, kernels);
  }

  /** Operations per second, as `sample` of Kernels. */
  sample(probe: RelaxedProbe, start: number, end: number): number {
    const { name, operations } = KERNELS[probe];
    while (now() < start);
    const began = now();
    const late = began > (start + end) / 2;
    const until = late ? end + began - start : end;
    let done = 0;
    let at: number;
    do {
      this.relaxed[name](this.chains, ROUNDS);
      done += CHAINS * operations * ROUNDS;
      at = now();
    } while (at < until);
    return (late ? -1 : 1) * (done / (at - began));
  }

  /** Whether matrix products with this number of rows are faster in relaxed SIMD. */
  takes(format: 'fp32' | 'int8', rows: number): boolean {
    if (rows < FEWEST_ROWS || this.wrong.includes(`relaxed_${format}`)) return false;
    return format === 'fp32' || (this.dots ??= this.dotsAreFaster());
  }

  /** C = A B of m x k and k x n, B in panels of 8 columns, which in INT8 have four rows of each column together; `takes` the rows. */
  product(format: 'fp32' | 'int8', a: number, packed: number, c: number, m: number, n: number, k: number) {
    const int8 = format === 'int8';
    this.relaxed.product(int8 ? 1 : 0, a, packed, c, m, n, int8 ? k / 4 : k);
  }

  private right(probe: RelaxedProbe): boolean {
    const { name, Lanes, step, tolerance } = KERNELS[probe];
    const lanes = () =>
      new Lanes(this.kernels.memory.buffer, this.chains, (CHAINS * VECTOR_BYTES) / Lanes.BYTES_PER_ELEMENT);
    const start = lanes().map((_, i) => (Lanes === Int32Array ? Math.imul(i + 1, 0x9e3779b1) : i)); // with bytes of all kinds
    lanes().set(start);
    this.relaxed[name](this.chains, CHECKED_ROUNDS);
    const found = lanes();
    return start.every((x, i) => {
      let expected = x;
      for (let round = 0; round < CHECKED_ROUNDS; ++round) expected = step(expected);
      return Math.abs(found[i]! - expected) <= tolerance * Math.abs(expected);
    });
  }

  /** Newer processors and browsers sum products of bytes in one instruction. Others take several, which may be slower than 16 bits. */
  private dotsAreFaster(): boolean {
    const best = (rate: (start: number, end: number) => number) =>
      Math.max(...Array.from({ length: 10 }, () => rate(now(), now() + 0.002)));
    return (
      best((start, end) => this.sample('relaxed_int8', start, end)) >
      best((start, end) => this.kernels.sample(PROBES.indexOf('int8'), 0, 0, start, end))
    );
  }
}
