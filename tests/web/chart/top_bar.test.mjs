// The top bar at every width: with a long file name, a guessed machine and warnings, all its buttons are in view.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, openPage } from '../harness.mjs';

const table =
  'name,M,N,K,dtype,time_us,note\nsm90_xmma_gemm,8192,8192,8192,fp16,1500,x\nsm90_gemv,1,8192,8192,fp16,-4,y\n';
const files = { 'matrix_products_of_the_large_model_on_the_new_cluster_of_november.csv': table };

test('top bar', async () => {
  for (const [hasTouch, ...widths] of [
    [true, 360, 390, 768, 820],
    [false, 900, 1024, 1121, 1440],
  ]) {
    const page = await openPage('', { hasTouch, viewport: { width: widths[0], height: 900 } });
    await page.drop(files);
    await page.page.getByText('guessed', { exact: true }).waitFor();
    for (const width of widths) {
      await page.page.setViewportSize({ width, height: 900 });
      const outside = () =>
        page.page
          .locator('.top-bar')
          .locator('button:visible, input:visible, .badge:visible')
          .evaluateAll(parts =>
            parts
              .filter(part => part.getBoundingClientRect().right > innerWidth || part.getBoundingClientRect().left < 0)
              .map(part => part.textContent || part.title),
          );
      await check(`${width} px`, async () => assert.deepEqual(await outside(), []));
    }
    await page.close();
  }
});

test('the source menu opens at its top, with its first line whole', async () => {
  const page = await openPage();
  await page.openFrom('Matrix products on a Jetson Orin Nano Super, measured');
  await page.settled();
  const panel = await page.behind('source');
  const facts = panel.locator('.facts-of-source');
  await check('at its top', async () => assert.equal(await panel.evaluate(element => element.scrollTop), 0));
  await check('no line of something above', async () =>
    assert.equal(await facts.locator('details').evaluate(element => getComputedStyle(element).borderTopStyle), 'none'),
  );
  await check('and no word cut', async () =>
    assert.ok(await facts.locator('summary').evaluate(line => line.scrollWidth <= line.clientWidth)),
  );
  page.assertQuiet();
  await page.close();
});
