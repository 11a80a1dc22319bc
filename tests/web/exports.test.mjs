// Exports are valid and say the same as the page; settings survive the round trip.
import { readFile } from 'node:fs/promises';
import { Page } from './harness.mjs';
import { four } from './inputs.mjs';

export default async function test({ browser, url, checks }) {
  const page = await Page.open(browser, url);
  await page.drop({ 'commands.json': four });

  const json = await page.download('JSON');
  const document = JSON.parse(await readFile(json.path, 'utf8'));
  checks.equal('JSON: schema', document.schema, 'roofline-analysis/1');
  checks.equal('JSON: every op in source order', document.ops.map(({ name }) => name), ['conv1', 'scale', 'proj', 'swap']);
  checks.equal('JSON: file name', json.name, 'commands.roofline.json');
  const csv = await readFile((await page.download('CSV')).path, 'utf8');
  checks.equal('CSV: a header and a row per op', csv.trim().split('\n').length, 5);
  const png = await readFile((await page.download('PNG')).path);
  checks.equal('PNG: its magic', png.subarray(0, 8).toString('hex'), '89504e470d0a1a0a');
  checks.equal('PNG: twice the size', png.readUInt32BE(16), 2000);
  const svg = await readFile((await page.download('SVG')).path, 'utf8');
  const parsed = await page.page.evaluate(text => {
    const root = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
    return [root.nodeName, root.querySelectorAll('*').length];
  }, svg);
  checks.that('SVG parses', parsed[0] === 'svg' && parsed[1] > 10, parsed);

  await page.slide('DRAM', 650);
  await page.slide('Bound from', 80);
  const bound = await page.summary('bound');
  const config = await readFile((await page.download('roofline_config.json')).path, 'utf8');
  checks.equal('settings: the original tool\'s keys and ours', ['mem_thresh', 'comp_thresh', 'bound_thresh', 'ops_per_mac'].filter(key => !(key in JSON.parse(config))), []);
  const other = await Page.open(browser, url);
  await other.drop({ 'commands.json': four });
  checks.that('a fresh page differs', (await other.summary('bound')) !== bound);
  await other.drop({ 'roofline_config.json': config });
  checks.equal('the settings file restores', [await other.summary('bound'), await other.page.getByLabel('Bound from, %').inputValue()], [bound, '80']);
  checks.equal('no complaints of the browser', [...page.complaints, ...other.complaints], []);
  await other.close();
  await page.close();
}
