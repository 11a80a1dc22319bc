// A machine file becomes the what-if if the open run is of another machine, and the machine itself if none is known.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, openPage } from '../harness.mjs';
import { four, linkLog } from '../inputs.mjs';

const stated = machine => JSON.stringify({ machine, ops: JSON.parse(four) });
const LOG = { 'a100.log': linkLog };

test('a machine file', async () => {
  const page = await openPage();
  const inForce = () => page.page.getByRole('combobox', { name: 'Machine', exact: true }).inputValue();
  const ranOnIt = page.page.getByRole('button', { name: 'It ran on this machine' });
  for (const [name, content, machine] of [
    ['the sample', null, /^NPU/],
    ['a run whose file names another', stated('a30'), /^NVIDIA A30$/],
  ]) {
    if (content) await page.drop({ 'run.json': content });
    await page.drop(LOG);
    await check(`${name}: it is the what-if`, async () => {
      assert.match(await inForce(), machine);
      assert.match(await page.summary('What-if'), /x/);
      assert.match(await page.notices.innerText(), /A100 40GB SXM.*what-if/);
    });
    await ranOnIt.click();
    await page.settled();
    await check(`${name}: or the machine, if it ran on it`, async () => {
      assert.match(await inForce(), /^NVIDIA A100 40GB SXM/);
      assert.equal(await page.totals.getByText('What-if').count(), 0);
      assert.equal(await ranOnIt.count(), 0);
    });
  }
  for (const [name, content] of [
    ['a run of an unknown machine', four],
    ['a run of the same machine', stated('a100-sxm-40gb')],
  ]) {
    await page.drop({ 'next.json': content });
    await page.drop(LOG);
    await check(`${name}: it is the machine`, async () => {
      assert.match(await inForce(), /NVLink measured: \d+ GB\/s$/);
      assert.equal(await page.totals.getByText('What-if').count(), 0);
    });
  }
  await page.openFrom('Size an operator');
  await page.drop(LOG);
  await check('an operator: it is the machine', async () =>
    assert.match(await inForce(), /NVLink measured: \d+ GB\/s$/),
  );
  page.assertQuiet();
  await page.close();
});
