// The first picture: drawn before the core is there, the same as what the core answers, and nothing done in between is lost.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { dist, Page } from './harness.mjs';
import { four } from './inputs.mjs';

export default async function test({ browser, url, checks }) {
  /** A page whose core does not arrive before release() is called. */
  const held = async (address = url) => {
    let release;
    const wait = new Promise(resolve => (release = resolve));
    const page = await Page.open(browser, address, { wait: false, route: [/roofline\.wasm|worker\.js|samples\//, async route => { await wait; await route.continue(); }] });
    return { page, release: async () => { release(); await page.painted(); } };
  };
  const drawn = page => page.page.waitForFunction(() => document.querySelector('.chart canvas')?.dataset.painted > 0, null, { timeout: 5000 }).then(() => true, () => false);
  const picture = page => page.page.evaluate(async () => ({
    chart: await (async canvas => {  // its colours: the same pixels may be encoded in two ways
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const digest = await crypto.subtle.digest('SHA-256', data.filter((_, i) => i % 4 < 3));
      return Array.from(new Uint8Array(digest)).join(' ');
    })(document.querySelector('.chart canvas')),
    page: document.querySelector('#app').innerHTML.replace(/aria-busy="\w+"/, '').replace(/data-(painted|revision)="\d+"/g, ''),
  }));

  {
    const { page, release } = await held();
    checks.that('the chart is drawn while the core is on its way', await drawn(page));
    checks.equal('and the page says that it is not live yet', await page.page.locator('main[aria-busy="true"]').count(), 1);
    checks.that('with table and diagnosis', (await page.page.locator('tbody tr[data-op]').count()) > 5 && (await page.selectedName()).length > 0);
    await page.page.waitForTimeout(400);
    const before = await picture(page);
    await release();
    checks.that('the core draws the same chart, to the pixel', before.chart === (await picture(page)).chart);
    checks.equal('and every number and word around it', (await picture(page)).page, before.page);
    checks.equal('no complaints of the browser', page.complaints, []);
    await page.page.waitForTimeout(400);  // the session is kept
    const again = await page.page.evaluate(() => location.hash);
    await page.close();
    const next = await held(url + again);
    checks.that('the link to it draws it at once too', await drawn(next.page));
    await next.release();
    await next.page.close();
  }

  {
    const { page, release } = await held();
    await drawn(page);
    const bound = await page.summary('bound');
    await page.page.getByRole('slider', { name: 'DRAM', exact: true }).evaluate(element => {
      element.value = '800';
      element.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await page.page.getByRole('searchbox').fill('layer4');
    await page.page.locator('tbody tr[data-op]').nth(3).click();
    const chosen = await page.page.locator('tr[aria-selected="true"]').innerText();
    await release();
    checks.that('a slider moved before then counts', (await page.summary('bound')) !== bound);
    checks.that('a search', (await page.summary('ops')).includes(' of '), await page.summary('ops'));
    checks.equal('a selection', await page.selectedName(), chosen.split('\t')[0].trim());
    await page.close();
  }

  {
    const { page, release } = await held();
    await drawn(page);
    await page.page.locator('#file-input').setInputFiles({ name: 'mine.json', mimeType: 'application/json', buffer: Buffer.from(four) });
    await release();
    checks.equal('a file opened before then is open', [await page.text('.source-name'), await page.summary('ops')], ['mine.json', '4']);
    checks.equal('no complaints of the browser', page.complaints, []);
    await page.close();
  }

  {
    const other = Buffer.from(JSON.stringify({ source: { sample: 'encoder' } })).toString('base64url');
    const { page, release } = await held(`${url}#${other}`);
    checks.that('a link to something else waits for the core', !(await page.page.waitForFunction(() => document.querySelector('.chart canvas')?.dataset.painted > 0, null, { timeout: 700 }).catch(() => false)));
    await release();
    checks.that('and shows that', (await page.text('.source-name')).includes('encoder'), await page.text('.source-name'));
    await page.close();
  }

  {
    const page = await Page.open(browser, url, { wait: false, route: [/roofline\.wasm/, route => route.abort()] });
    await page.page.locator('.notice.error').waitFor({ timeout: 5000 });
    checks.that('a core that never comes is told, the picture stays', (await drawn(page)) && /cannot start/.test(await page.text('.notice.error')), await page.text('.notice.error'));
    await page.close();
  }

  const page = await Page.open(browser, pathToFileURL(join(dist, 'index.html')).href, { wait: false, route: [/offline\.js/, () => {}] });
  checks.that('from a folder too', await drawn(page));
  await page.close();
}
