// Two runs: dropped together, or the second on "compare"; the comparison comes to the front, and another file ends it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, openPage } from '../harness.mjs';
import { four } from '../inputs.mjs';

const faster = JSON.stringify(JSON.parse(four).map(op => ({ ...op, time_ns: op.time_ns / 2 })));

test('compare', async () => {
  const page = await openPage();
  const { page: tab } = page;
  const view = () => page.tab();

  await page.drop({ 'before.json': four, 'after.json': faster });
  await check('two runs dropped together are compared', async () =>
    assert.deepEqual([await view(), await page.text(page.sourceName)], ['Compare', 'after.json']),
  );
  await check('with what changed, said once', async () => {
    assert.match(await page.sentence(), /saved \(50%\)/);
    assert.match(await page.text(page.view), /Before: before\.json/);
    assert.doesNotMatch(await page.text(page.view), /saved \(50%/);
  });

  await page.drop({ 'third.json': four });
  await check('another file ends it', async () => assert.notEqual(await view(), 'Compare'));

  const data = await tab.evaluateHandle(text => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], 'fourth.json'));
    return transfer;
  }, faster);
  await tab.dispatchEvent('body', 'dragover', { dataTransfer: data });
  const zone = tab.getByText('Drop to compare with third.json');
  await zone.dispatchEvent('dragover', { dataTransfer: data });
  await zone.dispatchEvent('drop', { dataTransfer: data });
  await check('a second run dropped on "compare"', async () =>
    assert.deepEqual([await view(), await page.text(page.sourceName)], ['Compare', 'fourth.json']),
  );
  await check('the zones are gone', async () => assert.equal(await tab.getByText(/^Drop to/).count(), 0));

  const timesOf = (prefix, us) =>
    JSON.stringify(us.map((time, i) => ({ type: 'layer', name: `${prefix}.sm90.${i}`, time_ns: 1000 * time })));
  await page.drop({ 'a100_fp16.json': timesOf('fp16', [100, 200]), 'a100_int8.json': timesOf('int8', [120, 210]) });
  await check('with too little in common, the totals come first, then what would match more', async () =>
    assert.match(
      await page.sentence(),
      /^10% more time: 300 µs before, 330 µs after\. Too few operations .* Open each run with its graph or shapes/,
    ),
  );
  page.assertQuiet();
  await page.close();

  const guess = await openPage();
  const table = 'name,M,N,K,dtype,time_us\nsm90_xmma_gemm,8192,8192,8192,fp16,1500\nsm90_gemv,1,8192,8192,fp16,45\n';
  await guess.drop({ 'one.csv': table });
  const guessed = guess.page.getByText('guessed', { exact: true });
  await guessed.waitFor();
  await guess.page
    .locator('#compare-input')
    .setInputFiles({ name: 'two.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });
  await guess.settled();
  await check('a second run leaves the doubt about the machine', async () =>
    assert.deepEqual([await guess.tab(), await guessed.count()], ['Compare', 1]),
  );
  await guess.close();
});
