// What a fleet's runs add up to, opened on the page: the worst operations of all, by lost hours.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { check, openPage, root } from '../harness.mjs';

const roofline = process.env.ROOFLINE ?? join(root, 'build/native/roofline');
const run = (args, input) => {
  const { status, stdout, stderr } = spawnSync(roofline, args, { input, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout;
};

test('fleet', { skip: !existsSync(roofline) && 'the command is not built' }, async () => {
  const gemm = (name, m, time_ns, count) => ({
    type: 'gemm',
    name,
    data_type: 'fp16',
    m,
    n: 4096,
    k: 4096,
    time_ns,
    count,
  });
  const night = [1, 2, 3].map(i =>
    run(
      ['analyze', '-', '--machine', 'h100-sxm', '-o', 'summary'],
      JSON.stringify([gemm('prefill', 4096, 400_000 * i, 20_000_000), gemm('decode', 1, 30_000, 1_000_000)]),
    ),
  );
  const page = await openPage();
  await page.drop({ 'fleet.json': run(['summarize', '-'], night.join('')) });
  await check('the machine of the fleet', async () =>
    assert.match(await page.page.getByRole('combobox', { name: 'Machine', exact: true }).inputValue(), /H100/),
  );
  await check('one row per operation, the worst first, in hours', async () => {
    const rows = (await page.texts('tbody tr')).filter(text => text.trim() !== ''); // virtual rows have spacers
    assert.match(rows[0], /prefill[^]* h/);
    assert.match(rows[1], /decode/);
  });
  await check('the finding names as many', async () =>
    assert.match(await page.text(page.finding), /Tuning all 2 ops could save up to [\d.]+ h, most of it in [^ ]+/),
  );
  page.assertQuiet();
  await page.close();
});
