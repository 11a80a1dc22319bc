// A matrix product of a file is run on this computer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../harness.mjs';
import { pageWith, parts } from './gpu.mjs';

const TABLE = `name,M,N,K,batch,flops,dtype,time_us
one,70,200,260,1,7280000,fp32,12
three,70,200,260,3,21840000,fp32,30
`;

test('measure: a product of a table of kernels', async () => {
  const page = await pageWith(null);
  await page.drop({ 'kernels.csv': TABLE });
  await page.settled();
  const open = async name => {
    await page.rows(page.operations).filter({ hasText: name }).first().click();
    await page.page.getByRole('article', { name: 'Diagnosis' }).getByRole('heading', { name }).waitFor();
    await page.page.getByRole('button', { name: 'Run it in this browser…' }).click();
  };
  const { run } = parts(page);
  await open('one');
  await run.getByRole('heading', { name: 'Run gemm here' }).waitFor();
  await run.getByRole('button', { name: 'Run', exact: true }).click();
  const row = run.locator('tbody tr').first();
  await check('it has a time and a rate', async () =>
    assert.match(await row.innerText(), /^70 x 200 x 260\tFP32\t[\d.,]+ [µm]?s\t[\d.,]+ [MGT]?FLOP\/s/),
  );
  await page.page.keyboard.press('Escape');
  await parts(page).dialog.waitFor({ state: 'detached' });
  await open('three');
  await run.getByText('only single products of matrices as they are can be run here').waitFor();
  await page.close();
});
