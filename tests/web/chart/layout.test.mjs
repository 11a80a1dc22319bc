// Nothing scrolls but the table at 1280x720; usable when narrow; light, dark, accessible; small and without foreign requests.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { check, dist, fromWeb, openPage, url } from '../harness.mjs';

const axe = readFileSync(fromWeb.resolve('axe-core/axe.min.js'), 'utf8');

test('layout', async () => {
  for (const [width, height, colorScheme] of [
    [1280, 720, 'light'],
    [1440, 900, 'dark'],
    [1024, 768, 'light'],
    [768, 1024, 'dark'],
    [390, 844, 'light'],
    [360, 740, 'dark'],
  ]) {
    const page = await openPage('', { viewport: { width, height }, colorScheme, bypassCSP: true });
    const name = `${width}x${height} ${colorScheme}`;
    const wide = await page.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    await check(`${name}: no sideways scrolling`, async () => assert.ok(wide <= 0, inspect(`${wide} px too wide`)));
    if (width === 1280) {
      const scrolling = await page.page.evaluate(() =>
        [...document.querySelectorAll('*')]
          .filter(
            element =>
              element.scrollHeight > element.clientHeight + 1 &&
              /auto|scroll/.test(getComputedStyle(element).overflowY) &&
              !element.matches('.table-scroll'),
          )
          .map(element => element.className),
      );
      await check(`${name}: nothing scrolls but the table`, async () => assert.deepEqual(scrolling, []));
    }
    const box = await page.chart.boundingBox();
    await check(`${name}: the chart has room`, async () =>
      assert.ok(box.width >= 340 && box.height >= 220, inspect(box)),
    );
    await page.page.evaluate(axe);
    const violations = await page.page.evaluate(() =>
      window.axe
        .run()
        .then(({ violations }) =>
          violations
            .filter(({ impact }) => ['serious', 'critical'].includes(impact))
            .map(({ id, nodes }) => `${id}: ${nodes[0].html}`),
        ),
    );
    await check(`${name}: axe finds nothing serious`, async () => assert.deepEqual(violations, []));
    await page.change();
    const more = await page.page.evaluate(() =>
      window.axe
        .run()
        .then(({ violations }) =>
          violations
            .filter(({ impact }) => ['serious', 'critical'].includes(impact))
            .map(({ id, nodes }) => `${id}: ${nodes[0].html}`),
        ),
    );
    await check(`${name}: nor in the panel of changes`, async () => assert.deepEqual(more, []));
    await page.close();
  }

  // Figures are not cut: each fits its cell, whatever its size.
  const wide = await openPage('', { viewport: { width: 1900, height: 1000 } });
  const sizes = [1, 98765, 8.88e14, 1.23e21, 9.99e29].flatMap(flops =>
    [0.001, 12.3, 8.8e8, 8.88e14].map(time_ns => ({
      name: 'op',
      type: 'custom',
      flops,
      bytes: flops / 7,
      time_ns,
      count: 123456,
    })),
  );
  await wide.drop({ 'sizes.json': JSON.stringify(sizes) });
  await wide.page.getByRole('button', { name: 'Columns' }).click();
  for (
    let box;
    (box = wide.page.getByRole('group', { name: 'Columns' }).getByRole('checkbox', { checked: false }).first()),
      await box.count();
  )
    await box.check();
  for (const unit of ['', 'G', 'T']) {
    await wide.page.getByLabel('Unit of rates').selectOption(unit);
    await wide.settled();
    const cut = await wide.page.evaluate(() =>
      [...document.querySelectorAll('.table-scroll td.number')]
        .filter(cell => {
          const range = document.createRange();
          range.selectNodeContents(cell);
          const [text, { left, right }] = [range.getBoundingClientRect(), cell.getBoundingClientRect()];
          return text.left < left || text.right > right;
        })
        .map(cell => cell.textContent),
    );
    await check(`figures in ${unit || 'any '}FLOP/s fit their cells`, async () =>
      assert.deepEqual(cut.slice(0, 5), []),
    );
  }
  await wide.close();

  const requests = [];
  const page = await openPage();
  page.page.on('request', request => requests.push(request.url()));
  await page.page.getByRole('button', { name: /^Theme/ }).click();
  await page.page.getByRole('button', { name: /^Theme/ }).click();
  await check('the theme can be switched', async () =>
    assert.deepEqual(await page.page.evaluate(() => document.documentElement.dataset.theme), 'dark'),
  );
  await page.slide('DRAM', 500);
  await page.chart.hover({ position: { x: 300, y: 200 } });
  await check('no request after the page is loaded', async () => assert.deepEqual(requests, []));
  await page.show('Bars');
  const bars = page.page.getByRole('img', { name: /^Bound and time above it/ });
  await check('bars are drawn when asked for', async () => assert.ok((await bars.locator('.point').count()) > 4));
  const names = (
    await bars.locator('.ytick text').evaluateAll(ticks => ticks.map(tick => tick.getBoundingClientRect().top))
  ).sort((a, b) => a - b);
  await check('no two names overlap', async () =>
    assert.ok(names.length >= 8 && names.every((top, i) => i === 0 || top - names[i - 1] > 12), inspect(names)),
  );
  const bar = await bars.locator('.point').nth(2).boundingBox();
  await page.page.mouse.move(bar.x + 4, bar.y + bar.height / 2);
  await page.page.locator('.hoverlayer text').first().waitFor();
  const name = (await page.tableNames())[2];
  await check('a bar tells its operation', async () =>
    assert.ok((await page.page.locator('.hoverlayer').textContent()).includes(name.trim()), inspect(name)),
  );
  await page.page.mouse.click(bar.x + 4, bar.y + bar.height / 2);
  await page.settled();
  await check('a click on it selects it', async () => assert.deepEqual(await page.selectedName(), name.trim()));
  await check('its legend names the limits and the faded part', async () =>
    assert.match(
      await page.view.getByRole('list', { name: 'Limits' }).innerText(),
      /DRAM\s[^]*faded: the bound; strong: time above it$/,
    ),
  );
  for (const view of ['Table only', 'Bars', 'Table only', 'Bars']) {
    // which frames overtake: they come before the first picture of it
    await page.page.evaluate(async label => {
      const views = document.querySelector('.more-views');
      views.querySelector('button').click();
      await new Promise(requestAnimationFrame);
      [...views.querySelectorAll('.item')].find(item => item.innerText.startsWith(label)).click();
      const slider = document.querySelectorAll('input[type="range"]')[1];
      for (let i = 0; i < 12; ++i) {
        slider.value = String(400 + 10 * i);
        slider.dispatchEvent(new Event('input', { bubbles: true }));
        await new Promise(requestAnimationFrame);
      }
    }, view);
    await page.settled();
  }
  await bars.locator('.point').first().waitFor({ state: 'attached' });
  await check('bars that frames overtake', async () => assert.deepEqual(page.complaints, []));
  await check('from this site only', async () =>
    assert.ok(
      requests.every(request => request.startsWith(url)),
      inspect(requests),
    ),
  );
  await page.show('Table only');
  await check('the table alone fills the space', async () =>
    assert.ok((await page.page.getByRole('region', { name: 'Operations', exact: true }).boundingBox()).height > 400),
  );
  await page.page.getByRole('button', { name: 'Fold the panel', exact: true }).click();
  await check('the panel folds', async () => assert.ok((await page.inputs.boundingBox()).width <= 40));
  page.assertQuiet();
  await page.close();

  const size = names =>
    names.reduce((sum, name) => sum + gzipSync(readFileSync(join(dist, name)), { level: 9 }).length, 0);
  const first = size(['index.html', 'main.js', 'style.css']); // picture.test.mjs shows that these are all it takes
  await check('at most 150 kB before the first chart', async () =>
    assert.ok(first <= 150e3, inspect(`${(first / 1e3).toFixed(0)} kB`)),
  );
  const core = size(['worker.js', 'roofline.wasm']);
  await check('at most 950 kB before the core answers', async () =>
    assert.ok(first + core <= 950e3, inspect(`${((first + core) / 1e3).toFixed(0)} kB`)),
  );
  const charts = size(['plotly.js', 'plotly.css']);
  await check('at most 450 kB for the chart library', async () =>
    assert.ok(charts <= 450e3, inspect(`${(charts / 1e3).toFixed(0)} kB`)),
  );
});
