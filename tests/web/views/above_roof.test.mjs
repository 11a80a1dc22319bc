// Rows above the roof of the machine have a status of their own wherever a status is shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, openPage } from '../harness.mjs';

// Of the assumed machine's 32 TFLOP/s and 50 GB/s: 50 times the one, 60 times the other, and half of the first.
const TABLE =
  'name,M,N,K,dtype,time_us\nfast_gemm,8192,8192,8192,fp16,690\nfast_gemv,1,8192,8192,fp16,45\nslow_gemm,8192,8192,8192,fp16,70000\n';

test('rows above the roof say so', async () => {
  const page = await openPage();
  await page.drop({ 'kernels.csv': TABLE });
  const status = async name => {
    const cells = await page.column(page.operations, 'Status');
    const names = await page.column(page.operations, 'Operation');
    return cells[names.findIndex(text => text.startsWith(name))];
  };
  await check('in the table', async () => {
    assert.equal(await status('fast_gemm'), 'above the roof');
    assert.equal(await status('fast_gemv'), 'above the roof');
    assert.notEqual(await status('slow_gemm'), 'above the roof');
  });
  await page.tableRow('fast_gemm').click();
  await page.settled();
  await check('in the diagnosis and in the legend', async () => {
    assert.equal(await page.text(page.diagnosis.locator('.status')), 'above the roof');
    assert.match(await page.legend.innerText(), /above the roof/);
  });
  page.assertQuiet();
  await page.close();
});

test('a tooltip judges no times of another machine, as the diagnosis does not', async () => {
  const page = await openPage();
  const other = TABLE.replace(/slow_gemm.*/, 'slow_gemm,1024,1024,1024,fp16,300');
  await page.drop({ 'kernels.csv': other });
  assert.match(await page.headline(), /^This did not run on/);
  const { x, y } = await page.chart.boundingBox();
  let seen = '';
  for (const at of await page.markers(3)) {
    await page.page.mouse.move(x + at.x, y + at.y);
    await page.tooltip.waitFor();
    await page.settled();
    const text = await page.text(page.tooltip);
    seen += text;
    assert.doesNotMatch(text, /%|in between|well below|near the roof/);
  }
  assert.match(seen, /slow_gemm[^]*300 µs/);
  page.assertQuiet();
  await page.close();
});
