// The first picture: drawn before the core is there, the same as what the core answers, and nothing done in between is lost.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { check, dist, openPage, root } from '../harness.mjs';
import { four } from '../inputs.mjs';

test('picture', async () => {
  /** A page whose core does not arrive before release() is called. */
  const held = async (address = '') => {
    let release;
    let asked;
    const wait = new Promise(resolve => (release = resolve));
    const started = new Promise(resolve => (asked = resolve));
    const page = await openPage(address, {
      wait: false,
      route: [
        /roofline\.wasm|worker\.js|samples\//,
        async route => {
          asked();
          await wait;
          await route.continue();
        },
      ],
    });
    await started; // the page has asked for its core
    return {
      page,
      release: async () => {
        release();
        await page.painted();
      },
    };
  };
  const isPainted = () => document.querySelector('.chart canvas')?.dataset.painted > 0;
  const painted = page => page.page.evaluate(isPainted);
  /** Until the page has drawn what it has decided to show. */
  const frames = page =>
    page.page.evaluate(async () => {
      for (let i = 0; i < 6; ++i) await new Promise(requestAnimationFrame);
    });
  const drawn = page =>
    page.page.waitForFunction(isPainted).then(
      () => true,
      () => false,
    );
  const picture = page =>
    page.page.evaluate(async () => ({
      chart: await (async canvas => {
        // its colours: the same pixels may be encoded in two ways
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        const digest = await crypto.subtle.digest(
          'SHA-256',
          data.filter((_, i) => i % 4 < 3),
        );
        return Array.from(new Uint8Array(digest)).join(' ');
      })(document.querySelector('.chart canvas')),
      page: document
        .querySelector('#app')
        .innerHTML.replace(/aria-busy="\w+"/, '')
        .replace(/data-(painted|revision)="\d+"/g, '')
        .replace(/(<div class="run-strip">).*?<\/figure>/, '$1') // its row is there, what is in it only the core knows
        .replace(/<option .*?<\/option>/g, '') // of closed lists, which the core fills
        .replace(/<optgroup .*?<\/optgroup>/g, ''),
    }));

  {
    const { page, release } = await held();
    await check('the chart is drawn while the core is on its way', async () => assert.ok(await drawn(page)));
    await check('and the page says that it is not live yet', async () =>
      assert.deepEqual(await page.page.locator('main[aria-busy="true"]').count(), 1),
    );
    await check('with table and diagnosis', async () =>
      assert.ok((await page.rows(page.operations).count()) > 5 && (await page.selectedName()).length > 0),
    );
    await frames(page);
    const before = await picture(page);
    await release();
    await check('the core draws the same chart, to the pixel', async () =>
      assert.ok(before.chart === (await picture(page)).chart),
    );
    await check('and every number and word around it', async () =>
      assert.deepEqual((await picture(page)).page, before.page),
    );
    page.assertQuiet();
    const again = new URL(await page.link()).hash;
    await page.close();
    const next = await held(again);
    await check('the link to it draws it at once too', async () => assert.ok(await drawn(next.page)));
    await next.release();
    await next.page.close();
  }

  {
    const { page, release } = await held();
    await drawn(page);
    const bound = await page.summary('Bound');
    await page.page.getByRole('slider', { name: 'DRAM', exact: true }).evaluate(element => {
      element.value = '800';
      element.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await page.page.getByRole('searchbox').fill('layer4');
    await page.rows(page.operations).nth(3).click();
    const chosen = await page.operations.getByRole('row', { selected: true }).innerText();
    await release();
    await check('a slider moved before then counts', async () => assert.ok((await page.summary('Bound')) !== bound));
    await check('a search', async () => assert.ok((await page.count()).includes(' of '), inspect(await page.count())));
    await check('a selection', async () => assert.deepEqual(await page.selectedName(), chosen.split('\t')[0].trim()));
    await page.close();
  }

  {
    const { page, release } = await held();
    await drawn(page);
    await page.page.getByRole('tab', { name: 'Formats' }).click();
    await page.page.getByRole('button', { name: 'Per layer' }).click();
    await page.page.evaluate(() => {
      globalThis.shownText = '';
      new MutationObserver(() => {
        globalThis.shownText += document.querySelector('main').innerText;
      }).observe(document.querySelector('main'), { subtree: true, childList: true, characterData: true });
    });
    await release();
    const layers = page.page.getByRole('region', { name: 'A format for each layer' });
    await check('layers asked for before then are listed', async () =>
      assert.match(await layers.innerText(), /54 unchanged layers/),
    );
    assert.doesNotMatch(await page.page.evaluate(() => globalThis.shownText), /No operation has/);
    await page.close();
  }

  for (const [name, content, ops] of [
    ['mine.json', four, '4'],
    ['collectives_trace.json', readFileSync(join(root, 'tests/data/collectives_trace.json')), '5'],
  ]) {
    const { page, release } = await held();
    await drawn(page);
    await page.page
      .getByLabel('Open files')
      .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(content) });
    await release();
    await check(`${name}, opened before then, is the first that the core opens`, async () =>
      assert.deepEqual([await page.text(page.sourceName), await page.count()], [name, ops]),
    );
    page.assertQuiet();
    await page.close();
  }

  {
    const other = Buffer.from(JSON.stringify({ source: { sample: 'encoder' } })).toString('base64url');
    const { page, release } = await held(`#${other}`);
    await frames(page);
    assert.ok(!(await painted(page)), 'a link to something else waits for the core');
    await release();
    await check('and shows that', async () =>
      assert.ok((await page.text(page.sourceName)).includes('encoder'), inspect(await page.text(page.sourceName))),
    );
    await page.close();
  }

  const broken = {
    'never comes': route => route.abort(),
    'is no module': route => route.fulfill({ contentType: 'application/wasm', body: 'not wasm' }),
  };
  for (const [what, answer] of Object.entries(broken)) {
    const page = await openPage('', { wait: false, route: [/roofline\.wasm/, answer] });
    await page.page.getByRole('alert').waitFor();
    await check(`a core that ${what} is told, the picture stays`, async () =>
      assert.ok((await drawn(page)) && /cannot start/.test(await page.alert()), inspect(await page.alert())),
    );
    await page.close();
  }

  const page = await openPage(pathToFileURL(join(dist, 'index.html')).href, {
    wait: false,
    route: [/offline\.js/, () => {}],
  });
  await check('from a folder too', async () => assert.ok(await drawn(page)));
  await page.close();
});
