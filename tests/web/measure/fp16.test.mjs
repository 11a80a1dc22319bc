// The FP16 shaders, on an adapter without FP16: the same text with f16 as another name of f32, which shows all but the rounding.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundled } from '../state/bundled.mjs';
import { pageWith } from './gpu.mjs';

const { shaderOf } = await bundled('measure/gpu/kernels.ts');
const { multiplyAdd, multiplyAddReference } = await bundled('measure/gpu/shaders.ts');
const { checkResult, leftAt, rightAt } = await bundled('measure/tasks.ts');

const widened = code => {
  assert.match(code, /^\s*enable f16;/);
  return code.replace('enable f16;', 'alias f16 = f32;');
};

/** In the page: what a shader writes into `results` floats, its last buffer. */
async function run({ code, workgroups, constants, inputs, results }) {
  const adapter = await navigator.gpu.requestAdapter();
  const device = await adapter.requestDevice();
  device.addEventListener('uncapturederror', ({ error }) => console.error(error.message));
  const pipeline = await device.createComputePipelineAsync({
    layout: 'auto',
    compute: { module: device.createShaderModule({ code }), constants },
  });
  const buffers = [...inputs.map(values => new Float32Array(values)), new Float32Array(results)].map(values => {
    const buffer = device.createBuffer({
      size: values.byteLength,
      usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC,
    });
    device.queue.writeBuffer(buffer, 0, values);
    return buffer;
  });
  const group = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
  });
  const mapped = device.createBuffer({ size: results * 4, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  pass.dispatchWorkgroups(...workgroups);
  pass.end();
  encoder.copyBufferToBuffer(buffers.at(-1), 0, mapped, 0, results * 4);
  device.queue.submit([encoder.finish()]);
  await mapped.mapAsync(GPUMapMode.READ);
  return [...new Float32Array(mapped.getMappedRange())];
}

test('measure: FP16 products', async () => {
  const page = await pageWith(null);
  for (const [rows, columns, depth] of [
    [70, 200, 261],
    [1, 1000, 515],
  ]) {
    const task = { kind: 'product', type: 'gemm', format: 'fp16', rows, columns, depth };
    const { code, workgroups, constants } = shaderOf(task);
    const results = await page.page.evaluate(run, {
      code: widened(code),
      workgroups,
      constants,
      inputs: [
        Array.from({ length: rows * depth }, (_, i) => leftAt(task, i)),
        Array.from({ length: depth * columns }, (_, i) => rightAt(task, i)),
      ],
      results: rows * columns,
    });
    const every = results.map((_, i) => [Math.floor(i / columns), i % columns]);
    checkResult(task, place => results[place], every);
  }
  await page.close();
});

test('measure: the FP16 peak', async () => {
  const page = await pageWith(null);
  const rounds = 20;
  const results = await page.page.evaluate(run, {
    code: widened(multiplyAdd('f16')),
    workgroups: [2],
    constants: { rounds },
    inputs: [],
    results: 512,
  });
  for (const [i, found] of results.entries()) {
    const expected = multiplyAddReference(i & 1, rounds);
    assert.ok(Math.abs(found / expected - 1) < 1e-5, `${i}: ${found}, expected ${expected}`);
  }
  await page.close();
});
