// The link restores the view; private files stay private; settings persist.
import { Page } from './harness.mjs';
import { four } from './inputs.mjs';

export default async function test({ browser, url, checks }) {
  const page = await Page.open(browser, url);
  await page.slide('DRAM', 700);
  await page.page.locator('#search').fill('o');
  await page.page.locator('tbody tr[data-op]').nth(1).click();
  await page.settled();
  await page.page.waitForTimeout(500);
  const link = page.page.url();
  const seen = [await page.summary('bound'), await page.summary('ops'), await page.selectedName()];
  checks.that('the address holds the view', link.includes('#'));

  const other = await Page.open(browser, link);
  checks.equal('a link restores machine, filter and selection', [await other.summary('bound'), await other.summary('ops'), await other.selectedName()], seen);
  await other.close();

  await page.drop({ 'private.json': four });
  await page.page.locator('tbody tr', { hasText: 'proj' }).click();
  await page.settled();
  await page.page.waitForTimeout(600);
  const hidden = page.page.url();
  const text = Buffer.from(hidden.split('#')[1], 'base64url').toString();
  checks.that('a private file: name and hash, not its content', text.includes('private.json') && /"sha256":"[0-9a-f]{64}"/.test(text) && !text.includes('conv1'), text);
  const guest = await Page.open(browser, hidden);
  checks.that('the page asks for that file', (await guest.text('.notices')).includes('private.json'), await guest.text('.notices'));
  await guest.drop({ 'renamed.json': four });
  checks.equal('and restores the view when it comes', await guest.selectedName(), 'proj');
  await guest.close();
  const stranger = await Page.open(browser, hidden);
  await stranger.drop({ 'private.json': four.replace('850000', '850001') });
  checks.that('a file with other content is told apart', (await stranger.text('.notices')).includes('differs'), await stranger.text('.notices'));
  await stranger.close();

  await page.page.getByRole('button', { name: 'Share link' }).click();
  await page.page.getByLabel(/Put the input/).check();
  await page.page.waitForTimeout(200);
  const carrying = await page.page.getByLabel('Link', { exact: true }).inputValue();
  const receiver = await Page.open(browser, carrying);
  checks.equal('a small input travels in the link by choice', [await receiver.summary('ops'), await receiver.selectedName()], ['4', 'proj']);
  await receiver.close();
  await page.page.keyboard.press('Escape');

  const again = await page.context.newPage();
  await again.goto(url);
  const next = new Page(again, page.context);
  await next.painted();
  checks.equal('settings persist', await again.getByLabel('DRAM, GB/s').inputValue(), await page.page.getByLabel('DRAM, GB/s').inputValue());
  checks.equal('no complaints of the browser', page.complaints, []);

  for (const [what, hash] of [['not base64', '#%%%'], ['not JSON', `#${btoa('{"a"')}`], ['wrong types', `#${btoa('{"settings":[],"view":{"zoom":1},"selected":"x"}')}`]]) {
    const odd = await Page.open(browser, `${url}${hash}`);
    checks.that(`a broken link (${what}) still opens a sample`, Number(await odd.summary('ops')) > 0);
    await odd.close();
  }
  const order = { source: { sample: 'training-profile' }, before: { sample: 'training-profile' }, view: { tab: 'compare', compareSort: 'colour' } };
  const disordered = await Page.open(browser, `${url}#${btoa(JSON.stringify(order))}`);
  await disordered.page.locator('.compare-menu').waitFor();
  await disordered.page.getByRole('button', { name: 'Compare', exact: true }).click();
  checks.that('an order of changes that there is not is left out', await disordered.page.locator('.compare tbody tr').first().waitFor({ timeout: 20_000 }).then(() => true, () => false), await disordered.text('main'));
  await disordered.close();
  await page.close();
}
