// Remarks on the input: alike ones together, the severest first; what is assumed can be chosen where it is said.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, openPage } from '../harness.mjs';

test('remarks', async () => {
  const page = await openPage();
  const dialog = page.page.getByRole('dialog', { name: /^Import (errors|notes)$/ });
  const open = kind => page.button(new RegExp(`import ${kind}s?$`)).click();
  const product = (more, i) => ({ type: 'linear', name: `p${i}`, m: 64, n: 64, k: 64, ...more });
  await page.drop({
    'odd.json': JSON.stringify([
      ...[1, 2, 3].map(i => product({ data_type: 'FP16', time_ns: -i }, i)),
      product({ data_type: 'INT7' }, 4),
    ]),
  });
  await open('error');
  await check('counted as in the button', async () =>
    assert.match(await dialog.innerText(), /^1 error, and 3 notes$/m),
  );
  const groups = dialog.getByRole('list').first().getByRole('listitem');
  await check('the severest first', async () => assert.match(await groups.first().innerText(), /^error\s[^]*INT7/));
  await check('alike ones together', async () => assert.match(await dialog.innerText(), /3 rows: /));
  await dialog.getByRole('button', { name: 'Close' }).click();

  await page.drop({ 'table.csv': 'name,M,N,K,time_us\ngemm,4096,4096,4096,9000\n' });
  const bytes = async () => /Bytes\s+(\S+ \S+)\s+(\S+)/.exec(await page.text(page.figures)).slice(1);
  await check('a format is assumed', async () => assert.deepEqual(await bytes(), ['201 MB', 'FP32']));
  await page.link(); // a step by now
  await open('note'); // no warning: nothing is wrong
  await check('which is said', async () => assert.match(await dialog.innerText(), /a number format: FP32 is assumed/));
  await dialog.getByRole('combobox', { name: 'Assumed format' }).selectOption({ label: 'FP16' });
  await check('and chosen there', async () =>
    assert.match(await dialog.innerText(), /a number format: FP16 is assumed/),
  );
  await dialog.getByRole('button', { name: 'Close' }).click();
  await check('the file is read with it', async () => assert.deepEqual(await bytes(), ['101 MB', 'FP16']));
  await page.link(); // a step by now
  await page.page.keyboard.press('Control+z');
  await check('which can be undone', async () => assert.deepEqual(await bytes(), ['201 MB', 'FP32']));
  page.assertQuiet();
  await page.close();
});

test('of very many remarks only the warnings that were read are counted', async () => {
  const page = await openPage();
  const noted = Array.from({ length: 6000 }, () => ({ type: 'linear', m: 8, n: 8, k: 8, time_ns: -1 }));
  await page.drop({ 'odd.json': JSON.stringify([{ ...noted[0], data_type: 'INT7' }, ...noted]) });
  const button = page.page.locator('.remarks-button');
  await check('the count is the least there can be', async () =>
    assert.match(await button.innerText(), /^[1-9]\+\s+import errors$/),
  );
  await button.click();
  const dialog = page.page.getByRole('dialog', { name: 'Import errors' });
  await dialog.getByText('The first 5,000 of 6,').waitFor();
  await page.page.keyboard.press('Escape');
  await page.diagnosis.getByText('Status definitions').click();
  await check('the definitions call them the same', async () =>
    assert.match(await page.diagnosis.innerText(), /the import errors say why/),
  );
  await page.close();
});

test('a remark names its field once, and says nothing of a prediction that a faulty record has not', async () => {
  const page = await openPage();
  const record = { type: 'gemm', n: 4, k: 4 };
  await page.drop({
    'bad.json': JSON.stringify([
      { ...record, m: 4 },
      { ...record, m: -4, time_ns: 0 },
    ]),
  });
  await page.page.getByRole('button', { name: /import (problem|error|warning)s?$/ }).click();
  const text = await page.text(page.page.getByRole('dialog'));
  assert.match(text, /column \d+: field "m": is -4: expected a positive whole number/);
  assert.match(text, /: time_ns is 0: ignored, so the operation has no efficiency/);
  assert.match(text, /INT8 is assumed\. Choose another:/);
  await page.close();
});
