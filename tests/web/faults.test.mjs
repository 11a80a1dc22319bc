// Broken input: a banner that says what and where, and what was open stays.
import { gzipSync } from 'node:zlib';
import { Page } from './harness.mjs';
import { conv, four, mul } from './inputs.mjs';

const UNUSABLE = {
  'empty.json': '', 'blank.json': ' \n\t', 'prose.json': 'hello', 'cut.json': four.slice(0, 200), 'tail.json': `${four} x`, 'number.json': '42',
  'nul.json': '[\0]', 'picture.json': Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'cut.json.gz': gzipSync(four).subarray(0, 60),
  'deep.json': '['.repeat(100_000),
};

export default async function test({ browser, url, checks }) {
  const page = await Page.open(browser, url);
  await page.drop({ 'good.json': four });
  for (const [name, content] of Object.entries(UNUSABLE)) {
    await page.drop({ [name]: content });
    const banner = await page.page.locator('.notice.error').allInnerTexts();
    checks.that(`${name}: a banner names it and says what was expected`, banner.length === 1 && banner[0].includes(name) && /expected|not|ends|beyond|deep|cannot/i.test(banner[0]), banner);
    checks.equal(`${name}: what was open stays`, [await page.text('.source-name'), await page.summary('ops')], ['good.json', '4']);
  }
  const cut = await page.drop({ 'cut.json': four.slice(0, 200) }).then(() => page.text('.notice.error'));
  checks.that('with line and column', /line \d+, column \d+/.test(cut), cut);
  await page.page.getByRole('button', { name: 'Dismiss' }).click();
  checks.equal('the banner can be dismissed', await page.page.locator('.notice.error').count(), 0);

  await page.drop({ 'op_registry.json': '{"ops": {"ID_BAD": {"macs": "1 +", "bytes": "1"}}}' });
  checks.that('a broken registry names op and expression', /ID_BAD/.test(await page.text('.notice.error')), await page.text('.notice.error'));
  await page.drop({ 'roofline_config.json': '{"machine": "h1000", "mem_bw": 50}' });
  checks.that('settings with an unknown machine are refused with near matches', /h1000.*h100/s.test(await page.text('.notice.error')), await page.text('.notice.error'));
  await page.drop({ 'roofline_config.json': '{"mem_bw": 50}' });

  const faulty = [conv, 7, { ...mul, name: 'negative', input_self: [-4] }, { name: 'untyped' }, { ...mul, name: 'hostile <script>alert(1)</script>' }];
  await page.drop({ 'faulty.json': JSON.stringify(faulty, null, 1) });
  checks.equal('records with faults are listed, not dropped', await page.summary('ops'), '5');
  await page.page.getByRole('button', { name: /remarks? on the input/ }).click();
  await page.page.locator('.diagnostics li').first().waitFor();
  const remarks = await page.texts('.diagnostics li');
  checks.that('each with its place', remarks.length >= 3 && remarks.every(text => /#\d/.test(text) && /\d+:\d+/.test(text)), remarks);
  await page.page.locator('.diagnostics li', { hasText: '#2' }).getByRole('button').first().click();
  await page.settled();
  checks.equal('a click jumps to the op', await page.selectedName(), 'negative');
  await page.page.locator('tbody tr', { hasText: 'hostile' }).click();
  await page.settled();
  checks.equal('<script> in a name is text', await page.selectedName(), 'hostile <script>alert(1)</script>');
  checks.equal('no complaints of the browser', page.complaints, []);
  await page.close();
}
