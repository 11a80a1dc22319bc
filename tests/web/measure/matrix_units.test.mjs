// The shaders for matrix units, on an adapter without them: loops replace the functions on subgroup matrices, for subgroups of one thread.
// This tests everything but the units' arithmetic.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundled } from '../state/bundled.mjs';
import { pageWith, runShader } from './gpu.mjs';

globalThis.navigator ??= { userAgent: 'Chrome/156' };
const { matrixUnits, unitReference, unitResults, unitOperands, unitsPeak } =
  await bundled('measure/gpu/matrix_units.ts');
const { unitProductShader } = await bundled('measure/gpu/products.ts');
const { comparedPeaks, gpuMachine } = await bundled('measure/machine.ts');
const { checkResult, leftAt, rightAt } = await bundled('measure/tasks.ts');
const { operandsOf } = await bundled('measure/run_task.ts');

/** The shader with arrays in place of subgroup matrices. FP16 is computed in FP32. */
function writtenOut(code, format, { M, N, K }) {
  const int8 = format === 'int8';
  const sum = int8 ? 'i32' : 'f32';
  const element = (from, at) =>
    int8 ? `((${from}[${at} / 4u] << (24u - 8u * (${at} % 4u))) >> 24u)` : `${from}[${at}]`;
  const load = (type, rows, columns) => (from, majority) =>
    `
fn load_${type}_${from}(offset: u32, stride: u32) -> ${type} {
  var m: ${type};
  for (var r = 0u; r < ${rows}u; r++) { for (var c = 0u; c < ${columns}u; c++) {
    let at = offset + ${majority === 'row_major' ? 'r * stride + c' : 'c * stride + r'};
    m[r * ${columns}u + c] = ${element(from, 'at')};
  } }
  return m;
}`;
  const loads = { Left: load('Left', M, K), Right: load('Right', K, N) };
  const functions = new Set();
  const body = code
    .replace(/^.*enable [^\n]*\n/, int8 ? '' : 'alias f16 = f32;\n')
    .replaceAll(/subgroup_matrix_left<[^>]*>/g, 'Left')
    .replaceAll(/subgroup_matrix_right<[^>]*>/g, 'Right')
    .replaceAll(/subgroup_matrix_result<[^>]*>/g, 'Sum')
    .replaceAll(/Sum\((\d+)\)/g, 'filled($1)')
    .replaceAll(/subgroupMatrixLoad<(\w+), (\w+)>\(&(\w+), /g, (_, type, majority, from) => {
      functions.add(loads[type](from, majority));
      return `load_${type}_${from}(`;
    })
    .replaceAll(/subgroupMatrixStore<row_major>\(&(\w+), /g, (_, to) => {
      functions.add(`
fn store_${to}(offset: u32, m: Sum, stride: u32) {
  var copy = m;
  for (var i = 0u; i < ${M * N}u; i++) { ${to}[offset + (i / ${N}u) * stride + i % ${N}u] = copy[i]; }
}`);
      return `store_${to}(`;
    })
    .replaceAll('subgroupMatrixMultiplyAccumulate', 'multiply_accumulate')
    .replace(/,\s*@builtin\(subgroup_id\)[^{]*{/, ') { let subgroup = thread; let lane = 0u;');
  return `${body}
alias Left = array<${sum}, ${M * K}>;
alias Right = array<${sum}, ${K * N}>;
alias Sum = array<${sum}, ${M * N}>;
fn filled(value: ${sum}) -> Sum { var m: Sum; for (var i = 0u; i < ${M * N}u; i++) { m[i] = value; } return m; }
fn multiply_accumulate(a: Left, b: Right, c: Sum) -> Sum {
  var left = a; var right = b; var m = c;
  for (var r = 0u; r < ${M}u; r++) { for (var c = 0u; c < ${N}u; c++) { for (var k = 0u; k < ${K}u; k++) {
    m[r * ${N}u + c] += left[r * ${K}u + k] * right[k * ${N}u + c];
  } } }
  return m;
}
${[...functions].join('')}`;
}

const CONFIGS = [
  ['int8', { M: 16, N: 16, K: 32 }],
  ['int8', { M: 16, N: 8, K: 16 }],
  ['fp16', { M: 16, N: 16, K: 16 }],
  ['fp16', { M: 8, N: 8, K: 8 }],
];
const nameOf = ([format, { M, N, K }]) => `${format} by ${M} x ${N} x ${K}`;

for (const [format, config] of CONFIGS)
  test(`measure: products on matrix units, ${nameOf([format, config])}`, async () => {
    const page = await pageWith(null);
    const [rows, columns, depth] = [66, 65, 36]; // no tile divides them
    const task = { kind: 'product', type: 'gemm', format, rows, columns, depth };
    const int8 = format === 'int8';
    const results = await runShader(page, {
      code: writtenOut(unitProductShader(format, { config, lanes: 1 }, 32), format, config),
      workgroups: [3, 3],
      constants: { rows, columns, depth: int8 ? depth / 4 : depth },
      inputs: int8
        ? operandsOf(task).map(bytes => [...new Int32Array(bytes.buffer)])
        : [
            Array.from({ length: rows * depth }, (_, i) => leftAt(task, i)),
            Array.from({ length: depth * columns }, (_, i) => rightAt(task, i)),
          ],
      results: rows * columns,
      int32: int8,
    });
    const every = results.map((_, i) => [Math.floor(i / columns), i % columns]);
    checkResult(task, place => results[place], every);
    page.assertQuiet();
    await page.close();
  });

for (const [format, config] of CONFIGS.filter(([, { N }]) => N === 8)) // the larger ones take half a minute
  test(`measure: the peak of matrix units, ${nameOf([format, config])}`, async () => {
    const page = await pageWith(null);
    const int8 = format === 'int8';
    const units = { config, lanes: 1 };
    const count = unitResults(units);
    const bits = unitOperands(format, config);
    const { M, N, K } = config;
    const results = await runShader(page, {
      code: writtenOut(unitsPeak(format, units), format, config)
        .replaceAll('operands:', 'unused:') // results are the last buffer
        .replace('@binding(0)', '@binding(9)')
        .replace('@binding(1)', '@binding(0)')
        .replace('@binding(9)', '@binding(1)')
        .replace('unused:', 'operands:'),
      workgroups: [1],
      constants: { rounds: 3 },
      inputs: [int8 ? [...bits] : Array.from({ length: Math.max(M, N) * K }, () => 0.5)],
      results: count,
      int32: int8,
    });
    const chains = count / (M * N);
    for (let chain = 0; chain < chains; ++chain)
      for (let i = 0; i < M * N; ++i)
        assert.equal(results[chain * M * N + i], unitReference(format, config, chain, 3), `chain ${chain}, ${i}`);
    page.assertQuiet();
    await page.close();
  });

test('the largest product with sums of 32 bits is chosen, where all subgroups have one size', () => {
  const config = (componentType, resultComponentType, M, N, K) => ({ componentType, resultComponentType, M, N, K });
  const info = {
    subgroupMinSize: 32,
    subgroupMaxSize: 32,
    subgroupMatrixConfigs: [
      config('f16', 'f16', 16, 16, 16),
      config('f16', 'f32', 16, 8, 16),
      config('f16', 'f32', 16, 16, 16),
      config('u8', 'u32', 16, 16, 32),
      config('i8', 'i32', 64, 64, 32), // larger than the products' shader has room for
    ],
  };
  assert.deepEqual(matrixUnits(info, 'fp16'), { config: config('f16', 'f32', 16, 16, 16), lanes: 32 });
  assert.equal(matrixUnits(info, 'int8'), null);
  assert.equal(matrixUnits({ ...info, subgroupMinSize: 16 }, 'fp16'), null);
  assert.equal(matrixUnits({ subgroupMinSize: 32, subgroupMaxSize: 32 }, 'fp16'), null);
});

test('a peak of matrix units is compared with the data sheet of matrix units', () => {
  const best = rate => ({ rate, spread: 0.01 });
  const units = { config: { M: 16, N: 16, K: 32 }, lanes: 32 };
  const machine = gpuMachine({
    name: 'nvidia hopper',
    clock: 'timestamps of the GPU',
    peaks: [
      { format: 'fp32', units: null, all: best(60e12) },
      { format: 'int8', units: null, all: best(120e12) },
      { format: 'int8', units, all: best(1300e12) },
    ],
    curve: [],
    levels: [{ name: 'DRAM', first: 2 ** 20, last: 2 ** 30, rate: 3e12, spread: 0.01 }],
    write: best(2e12),
    copy: best(2.5e12),
    launch: { seconds: 2e-6, spread: 0.01 },
    remarks: [],
  });
  const sheet = { peaks: { matrix: { fp32: 495e12, int8: 1979e12 }, vector: { fp32: 67e12 } } };
  assert.deepEqual(
    comparedPeaks(machine, sheet).map(({ name, figure, unit, stated }) => [name, figure.value, unit, stated]),
    [
      ['FP32', 60e12, 'FLOP/s', 67e12],
      ['INT8, matrix units', 1300e12, 'OP/s', 1979e12],
    ],
  );
  assert.match(machine.peaks.matrix.int8.source, /on matrix units \(subgroup matrices of 16 x 16 x 32\)/);
  assert.equal(machine.peaks.vector.int8, undefined);
  assert.ok(machine.notes.some(note => note === 'INT8 without matrix units: 120 TOP/s.'));
});
