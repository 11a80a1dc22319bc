// The links of docs/guide/gallery.md and docs/guide/exercises.md: each opens, and the page says what the gallery says that it does.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { check, dist, openPage, root, url } from '../harness.mjs';

const linksOf = html => [...html.matchAll(/href="\.\.\/index\.html#([\w-]+)"/g)].map(([, hash]) => hash);
const documentOf = name => readFileSync(join(dist, `docs/${name}.html`), 'utf8');

const rows = readFileSync(join(root, 'docs/guide/gallery.md'), 'utf8')
  .split('\n')
  .filter(line => line.startsWith('| **'))
  .map(line => line.split(' | ').map(cell => cell.replace(/^\| | \|$/g, '').trim()));
const gallery = linksOf(documentOf('gallery'));
assert.equal(gallery.length, rows.length);

for (const [i, [what, finding]] of rows.entries())
  test(`gallery: ${what.replaceAll('*', '')}`, async () => {
    const page = await openPage(`#${gallery[i]}`);
    await check('it says', async () => assert.equal(await page.sentence(), finding));
    page.assertQuiet();
    await page.close();
  });

test('exercises: each opens what it asks about', async () => {
  const links = linksOf(documentOf('exercises'));
  assert.equal(links.length, 5);
  for (const link of links) {
    const page = await openPage(`docs/exercises.html`, { wait: false });
    await page.page.locator(`a[href$="#${link}"]`).first().click();
    await page.painted();
    assert.ok(page.page.url().startsWith(`${url}index.html#`));
    const { source, view } = JSON.parse(Buffer.from(link, 'base64url'));
    if (source.sample) await check('a sample', async () => assert.match(await page.text(page.sourceName), /Orin Nano/));
    const label = { parity: 'Predicted vs measured' }[view.tab] ?? view.tab;
    await check('its view', async () =>
      assert.match(await page.view.getAttribute('aria-label'), new RegExp(`^(\\w+: )?${label}(: \\w+)? view$`, 'i')),
    );
    page.assertQuiet();
    await page.close();
  }
});
