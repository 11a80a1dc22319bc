// Pages with a WebGPU of Chromium's own, which computes on the processor, and what is done in them.
import { addSwitches, openPage, PATIENCE_MS } from '../harness.mjs';

addSwitches('--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--disable-gpu-watchdog');

/** One core: the tests share theirs with others. */
const oneCore = () => Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => 1 });

/** A page with this operator open. `init`: in the page, before its scripts. `route`: answers a request. */
export async function pageWith(operator, init = oneCore, route = undefined) {
  const state = operator ? { source: { built: 'operator', request: operator } } : {};
  return openPage(`#${btoa(JSON.stringify(state))}`, { init, route });
}

export const parts = page => ({
  dialog: page.page.getByRole('dialog', { name: 'Measure this machine' }),
  cpu: page.page.getByRole('region', { name: 'Processor', exact: true }),
  gpu: page.page.getByRole('region', { name: 'GPU', exact: true }),
  run: page.page.getByRole('region', { name: 'Run it here', exact: true }),
});

export async function openDialog(page) {
  await (await page.behind('machine')).getByRole('button', { name: 'Measure this machine…' }).click();
  const { dialog } = parts(page);
  await dialog.waitFor();
  return dialog;
}

/** Until a part is in one of these states: ready, running, failed, done. Beside other tests a measurement takes up to a minute. */
export const reached = (page, part, ...states) =>
  page.page.waitForFunction(
    ([name, wanted]) =>
      wanted.includes(document.querySelector(`.measure section[aria-label="${name}"]`)?.dataset.state),
    [part, states],
    { timeout: 4 * PATIENCE_MS },
  );

/** In the page: what a shader writes into `results` numbers of 32 bits, its last buffer; `inputs` and results are floats, or of int32. */
async function run({ code, workgroups, constants, inputs, results, int32 = false }) {
  const Numbers = int32 ? Int32Array : Float32Array;
  const adapter = await navigator.gpu.requestAdapter();
  // FP32 in place of FP16 takes more workgroup memory than a device has without asking.
  const { maxComputeWorkgroupStorageSize } = adapter.limits;
  const device = await adapter.requestDevice({ requiredLimits: { maxComputeWorkgroupStorageSize } });
  device.addEventListener('uncapturederror', ({ error }) => console.error(error.message));
  const pipeline = await device.createComputePipelineAsync({
    layout: 'auto',
    compute: { module: device.createShaderModule({ code }), constants },
  });
  const buffers = [...inputs.map(values => new Numbers(values)), new Numbers(results)].map(values => {
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
  return [...new Numbers(mapped.getMappedRange())];
}

export const runShader = (page, shader) => page.page.evaluate(run, shader);
