// The GPU's matrix units (tensor cores), which WebGPU offers as the experimental "subgroup matrices": the threads of a subgroup multiply two
// small matrices together.
import { CHAINS } from './shaders';

/** One product that the units compute: M x K by K x N. Of GPUAdapterInfo.subgroupMatrixConfigs. */
interface MatrixConfig {
  componentType: string;
  resultComponentType: string;
  M: number;
  N: number;
  K: number;
}

export type UnitFormat = 'fp16' | 'int8';

/** Missing from TypeScript's library. */
export interface MatrixInfo {
  subgroupMinSize?: number;
  subgroupMaxSize?: number;
  subgroupMatrixConfigs?: Iterable<MatrixConfig>;
}

export interface MatrixUnits {
  config: MatrixConfig;
  lanes: number; // threads of a subgroup
}

export const MATRIX_FEATURES = ['subgroups', 'chromium-experimental-subgroup-matrix'] as GPUFeatureName[];

const TYPES: Record<UnitFormat, [operand: string, sum: string]> = { fp16: ['f16', 'f32'], int8: ['i8', 'i32'] };
const BYTES: Record<UnitFormat, number> = { fp16: 2, int8: 1 };
// What the products' shader has room for on every device, in 16 KiB of workgroup memory and 256 threads.
const MOST = { side: 16, depth_bytes: 32, lanes: 64 };

/**
 * The largest product of a format that the units compute with sums of 32 bits; null: none, or the size of subgroups
 * varies, so that their number in a workgroup is unknown.
 */
export function matrixUnits(
  { subgroupMinSize, subgroupMaxSize, subgroupMatrixConfigs }: MatrixInfo,
  format: UnitFormat,
): MatrixUnits | null {
  if (!subgroupMaxSize || subgroupMinSize !== subgroupMaxSize || subgroupMaxSize > MOST.lanes) return null;
  const [operand, sum] = TYPES[format];
  const volume = ({ M, N, K }: MatrixConfig) => M * N * K;
  const [config] = [...(subgroupMatrixConfigs ?? [])]
    .filter(({ componentType, resultComponentType }) => componentType === operand && resultComponentType === sum)
    .filter(({ M, N, K }) => MOST.side % M === 0 && MOST.side % N === 0 && K * BYTES[format] <= MOST.depth_bytes)
    .sort((a, b) => volume(b) - volume(a));
  return config ? { config, lanes: subgroupMaxSize } : null;
}

export const ENABLE: Record<UnitFormat, string> = {
  fp16: 'enable f16; enable subgroups; enable chromium_experimental_subgroup_matrix;',
  int8: 'enable subgroups; enable chromium_experimental_subgroup_matrix;',
};

/** The types of the left operand, the right one and the sum. */
export function matrixTypes(format: UnitFormat, { M, N, K }: MatrixConfig) {
  const [operand, sum] = TYPES[format];
  return {
    left: `subgroup_matrix_left<${operand}, ${K}, ${M}>`,
    right: `subgroup_matrix_right<${operand}, ${N}, ${K}>`,
    sum: `subgroup_matrix_result<${sum}, ${N}, ${M}>`,
  };
}

const FILL: Record<UnitFormat, { value: number; bits: number }> = {
  fp16: { value: 0.5, bits: 0x38003800 },
  int8: { value: 3, bits: 0x03030303 },
};

const each = (of: (i: number) => string) => Array.from({ length: CHAINS }, (_, i) => of(i)).join('\n');

/**
 * Each chain starts at its number and adds the same product every round. The operands are read from a buffer, so that the compiler cannot
 * fold the product. All subgroups of a workgroup store the same results.
 */
export function unitsPeak(format: UnitFormat, { config, lanes }: MatrixUnits): string {
  const { M, N, K } = config;
  const { left, right, sum } = matrixTypes(format, config);
  const stored = format === 'fp16' ? 'f16' : 'i32';
  return `${ENABLE[format]}
override rounds: u32;
@group(0) @binding(0) var<storage, read_write> results: array<${format === 'fp16' ? 'f32' : 'i32'}>;
@group(0) @binding(1) var<storage, read_write> operands: array<${stored}>;
@compute @workgroup_size(${lanes * SUBGROUPS}) fn main(@builtin(workgroup_id) group: vec3u) {
  let a = subgroupMatrixLoad<${left}, row_major>(&operands, 0u, ${K}u);
  let b = subgroupMatrixLoad<${right}, row_major>(&operands, 0u, ${N}u);
  ${each(i => `var c${i} = ${sum}(${i});`)}
  for (var r = 0u; r < rounds; r++) {
    ${each(i => `c${i} = subgroupMatrixMultiplyAccumulate(a, b, c${i});`)}
  }
  ${each(i => `subgroupMatrixStore<row_major>(&results, (group.x * ${CHAINS}u + ${i}u) * ${M * N}u, c${i}, ${N}u);`)}
}`;
}

export const SUBGROUPS = 4; // of a workgroup

export const unitOperands = (format: UnitFormat, { M, N, K }: MatrixConfig) =>
  new Uint32Array((Math.max(M, N) * K * BYTES[format]) / 4).fill(FILL[format].bits);

/** Operations of a workgroup's round, and results that it stores. */
export const unitOperations = ({ config: { M, N, K } }: MatrixUnits) => SUBGROUPS * CHAINS * 2 * M * N * K;
export const unitResults = ({ config: { M, N } }: MatrixUnits) => CHAINS * M * N;

/** What a chain has after these rounds, in every element. */
export const unitReference = (format: UnitFormat, { K }: MatrixConfig, chain: number, rounds: number) =>
  chain + rounds * K * FILL[format].value ** 2;
