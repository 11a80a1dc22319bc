// The page as one file, and the folder from file://, have the kernels within them.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { dist, openPage } from '../harness.mjs';
import { openDialog, parts, reached } from './gpu.mjs';

for (const file of ['roofline.html', 'index.html'])
  test(`measure: ${file} from a folder`, async () => {
    const page = await openPage(pathToFileURL(join(dist, file)).href, {
      init: () => Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => 1 }),
    });
    await (await openDialog(page)).getByRole('button', { name: 'Measure', exact: true }).click();
    await reached(page, 'Processor', 'done', 'failed');
    const { cpu } = parts(page);
    assert.match(await cpu.innerText(), /FP32\s+[\d.,]+ [MGT]FLOP\/s/);
    page.assertQuiet();
    await page.close();
  });
