// measure.wasm, as a worker has it (wasm/measure/measure.cpp).

export const PROBES = ['fp64', 'fp32', 'int8', 'read', 'write', 'copy'] as const;

export interface Kernels {
  memory: WebAssembly.Memory;
  _initialize?: () => void;
  allocate(bytes: number): number; // 0: there is not enough memory
  release(at: number): void;
  working_set(i: number): number;
  sample(probe: number, at: number, bytes: number, start: number, end: number): number;
  levels(points: number, count: number): number;
  panel_columns(): number;
  pack_fp32(b: number, packed: number, n: number, k: number): void;
  pack_int8(b: number, packed: number, n: number, k: number): void;
  product_fp32(a: number, packed: number, c: number, m: number, n: number, k: number): void;
  product_int8(a: number, packed: number, c: number, m: number, n: number, k: number, scratch: number): void;
  softmax(from: number, to: number, rows: number, columns: number): void;
  layer_norm(from: number, to: number, rows: number, columns: number): void;
  row_sums(from: number, to: number, rows: number, columns: number): void;
  transpose(from: number, to: number, rows: number, columns: number): void;
  add(a: number, b: number, to: number, count: number): void;
}

/** Seconds since this page or worker began. */
export const now = () => performance.now() / 1000;

export async function startKernels(wasm: ArrayBuffer): Promise<Kernels> {
  // What C++'s library may call besides: nothing is printed or read.
  const nothing = new Proxy({}, { get: () => () => 0, has: () => true }) as WebAssembly.ModuleImports;
  const imports = { env: nothing, wasi_snapshot_preview1: nothing, page: { now } };
  const { instance } = await WebAssembly.instantiate(wasm, imports);
  const kernels = instance.exports as unknown as Kernels;
  kernels._initialize?.();
  return kernels;
}
