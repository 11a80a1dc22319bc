// The same page from a folder, without any server.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { dist, Page } from './harness.mjs';
import { four } from './inputs.mjs';

export default async function test({ browser, checks }) {
  const page = await Page.open(browser, pathToFileURL(join(dist, 'index.html')).href);
  checks.that('a sample is open', Number(await page.summary('ops')) > 0);
  await page.drop({ 'commands.json': four });
  checks.equal('a file opens', await page.summary('ops'), '4');
  await page.slide('DRAM', 700);
  await page.page.getByRole('button', { name: 'Bars' }).click();
  await page.page.locator('.bars .point').first().waitFor({ state: 'attached', timeout: 10_000 });
  checks.that('the chart library loads', true);
  checks.equal('no complaints of the browser', page.complaints, []);
  await page.close();
}
