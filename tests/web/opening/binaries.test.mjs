// Profilers' binaries, dropped under the names that they have.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../browser.mjs';
import { check, openPage } from '../harness.mjs';

test('binaries', async () => {
  const page = await openPage();
  for (const [name, ops] of [
    ['kernels.ncu-rep', '2'],
    ['operations.xplane.pb', '4'],
  ]) {
    await page.drop({ [name]: readFileSync(join(root, 'tests/data', name)) });
    await check(`${name} opens`, async () => assert.equal(await page.count(), ops));
  }
});
