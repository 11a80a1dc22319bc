// What a person comes for, with the page's own words as the only guide: the same steps in every browser.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { check } from '../harness.mjs';

const says = (page, what) => check(`it says ${what}`, async () => assert.match(await page.sentence(), what));

async function openSample(page, title) {
  await page.openFrom(title);
  await check(`${title} is open`, async () => assert.match(await page.text(page.sourceName), title));
  await page.settled();
}

/** In the page: the colours of a canvas, as a number. A file of the picture would not do: Firefox writes into it where it comes from. */
function pixelsOf(canvas) {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return data.reduce((sum, colour) => (Math.imul(sum, 31) + colour) | 0, 0);
}

/** Walks through pages that `open(address)` opens. */
export async function walk(open) {
  const page = await open();
  const { page: tab } = page;

  // What limits this profile, and what INT4 weights buy in total.
  await openSample(page, /Training profile/);
  await page.show('Timeline: By category');
  await says(page, /takes? \d+% of the time, \d+% of it bound by \w+/);
  await page.change();
  await tab.getByRole('combobox', { name: 'Weights', exact: true }).selectOption({ label: 'INT4' });
  await check('the what-if says what it buys in total', async () =>
    assert.match(await page.inputs.innerText(), /All operations\s+\d[\d.]*x/),
  );
  await page.button('Clear').click();

  // Which machine.
  await page.show('Machines: Speed-up');
  await says(page, /\d(\.\d+)?x/);

  // What the operation that loses most is told, fit for an issue.
  await openSample(page, /ResNet-50/);
  await page.inspect();
  await check('verdict, lever, number, evidence', async () =>
    assert.match(
      await page.diagnosis.innerText(),
      /Limited by neither compute nor memory, at \d+% of its bandwidth[^]*\d[\d.]*x faster[^]*of the ridge at/,
    ),
  );

  // Which layers may go to INT4 at 30 dB.
  await page.show('Formats: Accuracy');
  await page.button('Per layer').click();
  await tab.getByLabel('Least accuracy, dB').fill('30');
  await tab.getByLabel('Least accuracy, dB').press('Enter');
  await says(page, /^At 30 dB, \d+ layers take /);
  await check('each layer has its format', async () =>
    assert.ok((await tab.getByRole('region', { name: 'A format for each layer' }).getByRole('row').count()) > 5),
  );

  // What changed between two runs.
  const run = time =>
    JSON.stringify(
      ['wide', 'deep', 'same'].map((name, i) => ({
        type: 'ID_MM',
        name,
        data_type: 'FP16',
        input_mat1: [64, 1024 << i],
        input_mat2: [1024 << i, 512],
        time_ns: name === 'same' ? 1e6 : time * (i + 1),
      })),
    );
  await page.drop({ 'before.json': run(4e6), 'after.json': run(2e6) });
  await says(page, /^\d.* ms saved \(\d+%\).*: 2 faster, 0 slower, 1 unchanged/);
  const rows = page.rows(tab.getByRole('grid', { name: 'Changes' }));
  await check('what has not changed is folded', async () => assert.equal(await rows.count(), 2));
  await page.view.getByRole('button', { name: 'show' }).click();
  await check('and shown on request', async () => assert.equal(await rows.count(), 3));
  await page.button('End comparison').click();

  // Which of three formats wins where.
  await page.openFrom('Size an operator');
  await page.show('Scaling: Sweep');
  await says(page, /wins?\b.* (up to|from|everywhere|along)/);

  // Its picture holds what the screen showed.
  const svg = await readFile((await page.picture('SVG')).path, 'utf8');
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text);
  const sentence = await page.sentence();
  for (const part of ['FP16', 'INT8', 'Time', sentence.split(' ').slice(0, 3).join(' ')])
    assert.ok(
      texts.some(text => text.includes(part)),
      `${part} is not in the picture: ${texts.join(' | ')}`,
    );

  // Undo ten steps, and redo them.
  await openSample(page, /ResNet-50/);
  await page.show('Summary');
  await page.committed();
  const states = [];
  const seen = async () => {
    await page.settled();
    return [
      await tab.getByLabel('DRAM, GB/s').inputValue(),
      await tab.getByRole('searchbox').inputValue(),
      await page.tab(),
      await page.count(),
    ].join(' | ');
  };
  const changes = [
    () => page.slide('DRAM', 700),
    () => tab.getByRole('searchbox').fill('conv'),
    () => page.show('Bars'),
    () => page.slide('DRAM', 300),
    () => page.show('Summary'),
    () => tab.getByRole('searchbox').fill('layer'),
    () => page.slide('DRAM', 500),
    () => page.show('Table only'),
    () => tab.getByRole('searchbox').fill(''),
    () => page.show('Summary'),
  ];
  states.push(await seen());
  for (const change of changes) {
    await change();
    await tab.evaluate(() => document.activeElement?.blur());
    await page.committed();
    states.push(await seen());
  }
  for (let i = changes.length - 1; i >= 0; --i) {
    await tab.keyboard.press('Control+z');
    await check(`undo to step ${i}`, async () => assert.equal(await seen(), states[i]));
    await page.committed();
  }
  for (let i = 1; i <= changes.length; ++i) {
    await tab.keyboard.press('Control+Shift+z');
    await check(`redo to step ${i}`, async () => assert.equal(await seen(), states[i]));
    await page.committed();
  }

  // Share, open in a fresh browser: the very same picture.
  await page.button(/^Share/).click();
  const link = await tab.getByLabel('Link', { exact: true }).inputValue();
  await tab.keyboard.press('Escape');
  const fresh = await open(link);
  await check('the very same picture', async () => {
    await Promise.all([page.settled(), fresh.settled()]);
    const pixels = each => each.chart.evaluate(pixelsOf);
    assert.ok((await pixels(page)) === (await pixels(fresh)), 'the charts differ');
  });
  assert.equal(await fresh.headline(), await page.headline());
  fresh.assertQuiet();
  await fresh.close();
  page.assertQuiet();
  await page.close();
}
