// Failures while measuring: cancelled, no adapter, a lost device, a worker that ends, small limits, wrong sizes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { check, fromWeb, root } from '../harness.mjs';
import { openDialog, pageWith, parts, reached } from './gpu.mjs';

const start = async page => (await openDialog(page)).getByRole('button', { name: 'Measure', exact: true }).click();

test('measure: FP16 on the processor is refused before it runs', async () => {
  const page = await pageWith({ type: 'gemm', parameters: { m: 64, n: 64, k: 64 }, formats: ['fp16'] });
  await page.button('Run it in this browser…').click();
  const { run } = parts(page);
  const start = run.getByRole('button', { name: 'Run', exact: true });
  await check('with the reason', async () => assert.match(await run.innerText(), /FP16 runs on the GPU only/));
  assert.equal(await start.count(), 0);
  await run.getByRole('button', { name: 'GPU', exact: true }).click();
  await check('on the GPU it is offered', async () => assert.equal(await start.count(), 1));
  page.assertQuiet();
  await page.close();
});

test('measure: cancelled, and closed while it runs', async () => {
  const page = await pageWith();
  const before = page.page.workers().length;
  await start(page);
  const { cpu, dialog } = parts(page);
  await cpu.getByText(/reading/).waitFor();
  await cpu.getByRole('button', { name: 'Cancel' }).click();
  await dialog.getByText('Cancelled.').waitFor();
  await check('its workers have ended', async () => assert.equal(page.page.workers().length, before));
  await dialog.getByRole('button', { name: 'Measure', exact: true }).click();
  await cpu.getByRole('button', { name: 'Cancel' }).waitFor();
  await page.page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await check('closing ends it, too', async () => assert.equal(page.page.workers().length, before));
  page.assertQuiet();
  await page.close();
});

for (const [what, init, reason] of [
  [
    'no WebGPU',
    () => {
      Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => 1 });
      Object.defineProperty(navigator, 'gpu', { get: () => undefined });
    },
    /Not measured: this browser has no WebGPU/,
  ],
  [
    'no adapter',
    () => {
      Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => 1 });
      GPU.prototype.requestAdapter = async () => null;
    },
    /Not measured: this browser offers no GPU/,
  ],
])
  test(`measure: ${what} leaves the processor's figures, and says why`, async () => {
    const page = await pageWith(null, init);
    await start(page);
    await reached(page, 'GPU', 'failed');
    const { cpu, gpu } = parts(page);
    assert.match(await gpu.getByRole('alert').innerText(), reason);
    assert.equal(await gpu.getByRole('button', { name: 'Measure' }).count(), 0, 'trying again would not help');
    assert.equal(await cpu.getAttribute('data-state'), 'done');
    page.assertQuiet();
    await page.close();
  });

test('measure: a browser without relaxed SIMD measures as before', async () => {
  const page = await pageWith({ type: 'gemm', parameters: { m: 12, n: 16, k: 16 }, formats: ['fp32'] }, () => {
    Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => 1 });
    Object.defineProperty(navigator, 'gpu', { get: () => undefined });
    WebAssembly.validate = () => false;
  });
  await start(page);
  await reached(page, 'GPU', 'failed');
  const { cpu, run } = parts(page);
  const text = await cpu.innerText();
  assert.match(text, /INT8\t.*multiply-adds in registers, 1 core, in WebAssembly, 128 bit; /);
  assert.match(text, /without wider vectors and fused multiply-adds, which native code may have/);
  assert.doesNotMatch(text, /relaxed/);
  await run.getByRole('button', { name: 'Run', exact: true }).click();
  await run.getByRole('rowheader', { name: '12 x 16 x 16' }).waitFor();
  page.assertQuiet();
  await page.close();
});

test('measure: instructions of relaxed SIMD whose results are wrong do not count', async () => {
  const text = readFileSync(join(root, 'wasm/measure/relaxed.wat'), 'utf8').replace(/\b3 5 3 5 /g, '3 4 3 5 ');
  const wrong = (await fromWeb('wabt')()).parseWat('wrong.wat', text, { relaxed_simd: true }).toBinary({}).buffer;
  const page = await pageWith(null, undefined, [
    /relaxed\.wasm/,
    route => route.fulfill({ contentType: 'application/wasm', body: Buffer.from(wrong) }),
  ]);
  await start(page);
  await reached(page, 'Processor', 'done');
  const shown = await parts(page).cpu.innerText();
  assert.match(shown, /INT8\t.*multiply-adds in registers, 1 core, in WebAssembly, 128 bit; /);
  assert.match(shown, /Some results in relaxed SIMD are wrong in this browser: those instructions are left out\./);
  page.assertQuiet();
  await page.close();
});

test('measure: a device that is lost is said, and the next one measures', async () => {
  const page = await pageWith(null, () => {
    Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => 1 });
    const { requestDevice } = GPUAdapter.prototype;
    GPUAdapter.prototype.requestDevice = async function (...given) {
      return (globalThis.device = await requestDevice.apply(this, given));
    };
  });
  await start(page);
  const { gpu } = parts(page);
  await gpu.getByText(/reading|FP32|INT8/).waitFor();
  await page.page.evaluate(() => globalThis.device.destroy());
  await reached(page, 'GPU', 'failed');
  assert.match(await gpu.getByRole('alert').innerText(), /Not measured: the GPU was lost/);
  await gpu.getByRole('button', { name: 'Measure' }).click();
  await reached(page, 'GPU', 'done');
  assert.equal(await gpu.getByRole('alert').count(), 0, 'the fault has gone');
  assert.match(await gpu.locator('tbody').innerText(), /FP32\t[\d.,]+ [GMT]?FLOP\/s/);
  page.assertQuiet();
  await page.close();
});

test('measure: a GPU of small limits is measured within them', async () => {
  const page = await pageWith(null, () => {
    Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => 1 });
    const { requestDevice } = GPUAdapter.prototype;
    // The limits that every device has: 128 MiB of a binding, no timestamps.
    GPUAdapter.prototype.requestDevice = function () {
      return requestDevice.call(this, {});
    };
  });
  await start(page);
  await reached(page, 'GPU', 'done', 'failed');
  const { gpu } = parts(page);
  const text = await gpu.innerText();
  assert.match(text, /differences of repeated submissions/);
  assert.match(text, /DRAM/);
  page.assertQuiet();
  await page.close();
});

test('measure: a worker that ends is said', async () => {
  const page = await pageWith(null, () => {
    Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => 1 });
    const { Worker } = globalThis;
    globalThis.workers = [];
    globalThis.Worker = class extends Worker {
      constructor(...given) {
        super(...given);
        globalThis.workers.push(this);
      }
    };
  });
  await start(page);
  const { cpu } = parts(page);
  await cpu.getByText(/reading/).waitFor();
  await page.page.evaluate(() =>
    globalThis.workers.at(-1).dispatchEvent(new ErrorEvent('error', { message: 'out of memory' })),
  );
  await reached(page, 'Processor', 'failed');
  assert.match(await cpu.getByRole('alert').innerText(), /Not measured: a worker ended: out of memory/);
  await cpu.getByRole('button', { name: 'Measure' }).click();
  await reached(page, 'Processor', 'done');
  assert.equal(await cpu.getByRole('alert').count(), 0, 'and the next try measures');
  await page.close();
});

test('measure: what cannot be run here says why', async () => {
  for (const [operator, reason] of [
    [
      { type: 'attention', parameters: { heads: 2, head_dim: 64, query_length: 8 }, formats: ['fp32'] },
      /there is no kernel/,
    ],
    [{ type: 'gemm', parameters: { m: 4, n: 16, k: 18 }, formats: ['int8'] }, /INT8 takes a k that is a multiple of 4/],
    [{ type: 'softmax', parameters: { input_shape: [64, 128] }, formats: ['int8'] }, /runs here in FP32 only/],
  ]) {
    const page = await pageWith(operator);
    await page.button('Run it in this browser…').click();
    const { run } = parts(page);
    await check(`${operator.type}: ${reason}`, async () => assert.match(await run.innerText(), reason));
    assert.equal(await run.getByRole('button', { name: 'Run', exact: true }).count(), 0);
    await page.close();
  }
  const page = await pageWith({ type: 'gemm', parameters: { m: 8192, n: 8192, k: 8192 }, formats: ['fp32'] });
  await page.button('Run it in this browser…').click();
  const { run } = parts(page);
  await run.getByRole('button', { name: 'Run', exact: true }).click();
  await check('too large', async () =>
    assert.match(
      await run.getByRole('alert').innerText(),
      /Not run: it is too large to be run in a page: 1\.1 TFLOP of at most 200 GFLOP/,
    ),
  );
  page.assertQuiet();
  await page.close();
});
