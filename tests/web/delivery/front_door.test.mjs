// Somebody new: a tour on measured data, documents as pages, what a wrong file is and what to do with it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, openPage, url } from '../harness.mjs';

const trace = JSON.stringify({
  schemaVersion: 1,
  traceEvents: [
    { ph: 'X', cat: 'cpu_op', name: 'aten::mm', pid: 1, tid: 1, ts: 1, dur: 5, args: { 'External id': 1 } },
  ],
});

test('front door', async () => {
  const page = await openPage();
  const { page: tab } = page;

  await page.openFrom(/^Tour/);
  const tour = tab.getByRole('region', { name: 'Tour' });
  await check('the tour runs on a measured sample', async () =>
    assert.match(await page.sourceName.innerText(), /measured/),
  );
  const titles = [];
  for (let more = true; more; ) {
    titles.push(await tour.getByRole('heading').innerText());
    more = (await tour.getByRole('button', { name: 'Next' }).count()) > 0;
    await tour.getByRole('button', { name: more ? 'Next' : 'Done' }).click();
  }
  await check('and leads through the page', async () =>
    assert.ok(titles.length >= 6 && new Set(titles).size === titles.length),
  );
  await check('then it is over', async () => assert.equal(await tour.count(), 0));
  await page.openFrom(/^Tour/);
  await tab.keyboard.press('Escape');
  await check('Escape ends it, and closes nothing else', async () => {
    assert.equal(await tour.count(), 0);
    assert.ok(await page.diagnosis.isVisible());
  });
  await page.openFrom(/^Tour/);
  await page.openFrom('Size an operator');
  await check('another source ends it', async () => assert.equal(await tour.count(), 0));

  for (const [name, content, says] of [
    ['chart.png', '\x89PNG\r\n', /PNG image.*commands\.json/],
    ['model.onnx', '\b\x07', /a protocol buffer without a graph: the file is cut off, damaged or not an ONNX model/],
    ['report.nsys-rep', 'NSYS', /Nsight Systems.*nsys stats/],
    ['login.html', '<!doctype html>', /web page.*again/],
    ['a.report.html', '<!doctype html><script type="application/json" id="report">{}</script>', /report of Roofline/],
  ]) {
    await page.drop({ [name]: Buffer.from(content, 'latin1') });
    await check(`${name}: what it is and what to do`, async () => assert.match(await page.alert(), says));
  }
  await page.drop({ 'trace.json': trace });
  await check('a trace that says too little: how to record it', async () =>
    assert.match(await page.notices.innerText(), /record_shapes=True/),
  );

  await tab.keyboard.press('?');
  const documents = await tab.getByRole('navigation', { name: 'Documents' }).getByRole('link').all();
  const targets = await Promise.all(documents.map(link => link.getAttribute('href')));
  await check('help leads to the documents', async () => assert.ok(targets.length > 5));
  page.assertQuiet();

  for (const target of targets) {
    await tab.goto(url + target);
    await check(`${target} is a page`, async () =>
      assert.ok((await tab.getByRole('heading', { level: 1 }).count()) === 1),
    );
    const links = await tab.evaluate(() => Array.from(document.querySelectorAll('a[href]'), ({ href }) => href));
    const broken = [];
    for (const link of links.filter(href => href.startsWith(url))) {
      const [address, anchor] = link.split('#');
      const answer = await fetch(address);
      if (!answer.ok || (anchor && !(await answer.text()).includes(`id="${anchor}"`))) broken.push(link);
    }
    await check(`${target}: no broken links`, async () => assert.deepEqual(broken, []));
  }
  await page.close();
});
