// The strip of the run: hue by limit, faded near the bound, hatched above the roof; pointing at a part says it in words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, openPage } from '../harness.mjs';

test('the strip of the run marks what limits each operation', async () => {
  const page = await openPage('', { viewport: { width: 1440, height: 900 } });
  const strip = page.page.getByRole('figure', { name: 'The run' });
  const legend = async () =>
    (await strip.getByRole('list', { name: 'Limits' }).getByRole('listitem').allInnerTexts()).map(text => text.trim());
  await check('its colours are those of the legend of the chart, which is not repeated', async () =>
    assert.deepEqual(
      [
        await legend(),
        (await page.legend.getByRole('list', { name: 'Colours' }).getByRole('listitem').allInnerTexts()).map(text =>
          text.trim(),
        ),
      ],
      [[], ['compute 11', 'DRAM 75', 'neither 2', 'faded: near the bound']],
    ),
  );
  const colours = page.page.getByLabel('Colour by');
  await colours.selectOption('lost');
  await check('beside a chart of other colours it has a legend', async () =>
    assert.deepEqual(await legend(), ['compute', 'DRAM', 'neither', 'faded: near the bound']),
  );
  await colours.selectOption('limit');
  const point = async share => {
    const { x, y, width, height } = await strip.getByRole('img').boundingBox();
    await page.page.mouse.move(x + share * width, y + height / 2);
  };
  await point(0.01);
  await check('the first operation is limited by neither', async () =>
    assert.match(await strip.innerText(), /conv1: neither compute nor memory, 1\.15 ms/),
  );
  const colour = (kind, property) =>
    strip
      .locator(`path${kind}`)
      .first()
      .evaluate((path, of) => getComputedStyle(path)[of], property);
  const fill = (limit, mark = '.far') => colour(`[data-limit="${limit}"]${mark}`, 'fill');
  /** The contrast ratio of WCAG, 1 to 21, of a colour to the page's background. */
  const contrast = mark =>
    page.page.evaluate(paint => {
      const canvas = new OffscreenCanvas(1, 1).getContext('2d');
      const lightness = of => {
        canvas.fillStyle = of;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b] = Array.from(canvas.getImageData(0, 0, 1, 1).data, value => {
          const part = value / 255;
          return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
      };
      const both = [lightness(paint), lightness(getComputedStyle(document.body).backgroundColor)];
      return Math.max(...both) / Math.min(...both);
    }, mark);
  const [pale, strong] = [await contrast(await fill('DRAM', '.near')), await contrast(await fill('DRAM'))];
  assert.ok(pale < strong, 'pale on white');
  await page.page.emulateMedia({ colorScheme: 'dark' });
  for (const limit of ['DRAM', 'compute'])
    await check(`${limit} near its bound is visible on a dark background`, async () =>
      assert.ok((await contrast(await fill(limit, '.near'))) >= 3),
    );
  const swatch = (list, kind) =>
    list
      .getByRole('listitem')
      .filter({ hasText: 'faded: near the bound' })
      .locator(kind)
      .evaluate(mark => getComputedStyle(mark).backgroundColor);
  const paint = text =>
    page.page.evaluate(colour => {
      const canvas = new OffscreenCanvas(1, 1).getContext('2d');
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data];
    }, text);
  const ofChart = await paint(await swatch(page.legend.getByRole('list', { name: 'Colours' }), '.dot'));
  await colours.selectOption('lost');
  await check('faded is one colour in both legends', async () =>
    assert.deepEqual(await paint(await swatch(strip.getByRole('list', { name: 'Limits' }), '.swatch')), ofChart),
  );
  await colours.selectOption('limit');
  await page.page.emulateMedia({ colorScheme: 'light' });
  const hue = role =>
    page.page.evaluate(name => {
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.color = `var(--status-${name})`;
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    }, role);
  assert.equal(await fill('neither'), await hue('memory-inefficient'));
  assert.equal(await fill('compute'), await hue('compute-bound'));
  assert.equal(await fill('DRAM'), await hue('memory-bound'));

  await page.page.keyboard.press('Control+k');
  await page.page.keyboard.type('no such operation');
  await page.settled();
  await page.page.keyboard.press('Escape');
  await page.finding.click({ position: { x: 2, y: 2 } }); // the strip is asked for again
  await page.settled();
  assert.equal(await strip.count(), 1, 'a search in the palette leaves it');

  await page.show('Bars');
  await check('bars have the same hues', async () =>
    assert.deepEqual(await page.view.getByRole('list', { name: 'Limits' }).getByRole('listitem').allInnerTexts(), [
      'compute',
      'DRAM',
      'neither',
      'faded: the bound; strong: time above it',
    ]),
  );
  await page.show('Summary');

  // 733 TFLOP/s is beyond the machine that is assumed.
  await page.drop({
    'kernels.csv': 'name,M,N,K,dtype,time_us\nfast,8192,8192,8192,fp16,1500\nslow,8192,8192,8192,fp16,150000\n',
  });
  await check('above the roof it is hatched', async () =>
    assert.equal(await strip.locator('path[fill^="url("]').count(), 1),
  );
  await point(0.001);
  await check('and said so', async () => assert.match(await strip.innerText(), /fast: compute, above the roof/));
  page.assertQuiet();
  await page.close();
});
