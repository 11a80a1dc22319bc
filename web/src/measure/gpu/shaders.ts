// The compute shaders of the GPU's probes. Each writes what a reference can compute, so that no compiler may leave work out.

export const CHAINS = 8; // independent ones of each thread
export const THREADS = 256; // of a workgroup

const each = (of: (i: number) => string) => Array.from({ length: CHAINS }, (_, i) => of(i)).join('\n');

/** x = x * 0.999 + 0.5 in four lanes of each chain, from the chain's number; a thread stores what its chains add up to. */
export const multiplyAdd = (type: 'f32' | 'f16') => `
${type === 'f16' ? 'enable f16;' : ''}
override rounds: u32;
@group(0) @binding(0) var<storage, read_write> results: array<f32>;
@compute @workgroup_size(${THREADS}) fn main(@builtin(global_invocation_id) id: vec3u) {
  let start = ${type}(id.x & 1u);
  ${each(i => `var c${i} = vec4<${type}>(start + ${i});`)}
  for (var r = 0u; r < rounds; r++) {
    ${each(i => `c${i} = fma(c${i}, vec4<${type}>(0.999), vec4<${type}>(0.5));`)}
  }
  let sum = ${Array.from({ length: CHAINS }, (_, i) => `vec4f(c${i})`).join(' + ')};
  results[id.x] = sum.x + sum.y + sum.z + sum.w;
}`;
export const MULTIPLY_ADD_OPERATIONS = 2 * 4 * CHAINS; // of a thread's round

/** x = x + the products of its four bytes with 3, 5, 3, 5, modulo 2^32. */
export const bytesDot = `
requires packed_4x8_integer_dot_product;
override rounds: u32;
@group(0) @binding(0) var<storage, read_write> results: array<i32>;
@compute @workgroup_size(${THREADS}) fn main(@builtin(global_invocation_id) id: vec3u) {
  let start = i32(id.x & 1u);
  ${each(i => `var c${i} = start + ${i};`)}
  for (var r = 0u; r < rounds; r++) {
    ${each(i => `c${i} += dot4I8Packed(bitcast<u32>(c${i}), 0x05030503u);`)}
  }
  results[id.x] = ${Array.from({ length: CHAINS }, (_, i) => `c${i}`).join(' + ')};
}`;
export const DOT_OPERATIONS = 2 * 4 * CHAINS;

/** What a thread of multiplyAdd stores, but for its type's rounding. */
export function multiplyAddReference(start: number, rounds: number): number {
  let sum = 0;
  for (let i = 0; i < CHAINS; ++i) {
    let x = start + i;
    for (let r = 0; r < rounds; ++r) x = x * 0.999 + 0.5;
    sum += 4 * x;
  }
  return sum;
}

/** What a thread of bytesDot stores. */
export function bytesDotReference(start: number, rounds: number): number {
  const byte = (x: number, i: number) => (x << (24 - 8 * i)) >> 24;
  let sum = 0;
  for (let i = 0; i < CHAINS; ++i) {
    let x = start + i;
    for (let r = 0; r < rounds; ++r) x = (x + 3 * byte(x, 0) + 5 * byte(x, 1) + 3 * byte(x, 2) + 5 * byte(x, 3)) | 0;
    sum = (sum + x) | 0;
  }
  return sum;
}

const WALK = `
override vectors: u32;
override threads: u32;`;

/** Each thread adds every threads-th vector, and stores the sum. */
export const readWalk = `${WALK}
@group(0) @binding(0) var<storage, read> source: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> results: array<f32>;
@compute @workgroup_size(${THREADS}) fn main(@builtin(global_invocation_id) id: vec3u) {
  var a = vec4f(); var b = vec4f(); var c = vec4f(); var d = vec4f();
  var i = id.x;
  for (; i + 3u * threads < vectors; i += 4u * threads) {
    a += source[i]; b += source[i + threads]; c += source[i + 2u * threads]; d += source[i + 3u * threads];
  }
  for (; i < vectors; i += threads) { a += source[i]; }
  let sum = a + b + c + d;
  results[id.x] = sum.x + sum.y + sum.z + sum.w;
}`;

export const writeWalk = `${WALK}
@group(0) @binding(0) var<storage, read_write> target_of: array<vec4f>;
@compute @workgroup_size(${THREADS}) fn main(@builtin(global_invocation_id) id: vec3u) {
  for (var i = id.x; i < vectors; i += threads) { target_of[i] = vec4f(1); }
}`;

export const copyWalk = `${WALK}
@group(0) @binding(0) var<storage, read> source: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> target_of: array<vec4f>;
@compute @workgroup_size(${THREADS}) fn main(@builtin(global_invocation_id) id: vec3u) {
  for (var i = id.x; i < vectors; i += threads) { target_of[i] = source[i]; }
}`;

export const nothing = `
@group(0) @binding(0) var<storage, read_write> results: array<f32>;
@compute @workgroup_size(1) fn main() { results[0] = 1; }`;
