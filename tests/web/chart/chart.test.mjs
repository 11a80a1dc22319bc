// The roofline: where it opens, what stays while something changes, what its colours tell, and cards beside their points.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, openPage } from '../harness.mjs';

test('chart', async () => {
  const page = await openPage();
  const { page: tab } = page;
  const zoom = async () => {
    const state = Buffer.from((await page.link()).split('#')[1] ?? '', 'base64url').toString();
    return JSON.parse(state || '{}').view?.zoom;
  };

  await check('it opens on all points', async () => {
    assert.equal(await page.chart.getAttribute('data-markers'), '88');
    assert.equal(await page.button(/outside$/).count(), 0);
  });
  await page.button('Show the machine’s full range').click();
  const decades = await zoom();
  await check("the machine's decades on demand", async () => assert.ok(Number.isInteger(decades.x0), decades));
  await page.button('Fit the points').click();
  await check('and back', async () => assert.equal(await zoom(), undefined));

  // Where the window stays though the same state would open with another, the link names it.
  await page.slide('Peak', 800);
  const stayed = await zoom();
  const other = await openPage(await page.link());
  await check('a link shows the same window', async () => {
    assert.equal(await other.chart.getAttribute('data-markers'), await page.chart.getAttribute('data-markers'));
    if (stayed)
      assert.deepEqual(JSON.parse(Buffer.from((await other.link()).split('#')[1], 'base64url')).view.zoom, stayed);
  });
  await other.close();

  const colours = page.legend.getByLabel('Colour by');
  await colours.selectOption({ label: 'time above bound' });
  await check('colours tell the time above the bound', async () =>
    assert.match(await page.legend.innerText(), /µs above bound/),
  );
  await colours.selectOption({ label: 'category' });
  await check('or the category', async () => assert.match(await page.legend.innerText(), /convolution \d+/));
  await colours.selectOption({ label: 'status' });
  await check('or the status', async () => assert.match(await page.legend.innerText(), /well below the roof/));
  await colours.selectOption({ label: 'limit' });
  await check('or, as along time, what limits it', async () =>
    assert.match(await page.legend.innerText(), /DRAM \d+\s+neither \d+/),
  );

  const { x, y } = await page.chart.boundingBox();
  for (const at of await page.markers(3)) {
    const [px, py] = [x + at.x, y + at.y];
    await tab.mouse.move(px, py);
    await page.tooltip.waitFor();
    const card = await page.tooltip.boundingBox();
    const over = px > card.x && px < card.x + card.width && py > card.y && py < card.y + card.height;
    await check('a card never covers its point', async () => assert.ok(!over, JSON.stringify({ card, px, py })));
  }
  page.assertQuiet();
  await page.close();
});

test('another file opens the chart on its own points and ridge', async () => {
  const page = await openPage();
  const shown = async () => {
    await page.button('Zoom in').click();
    const { x0, x1, y0, y1 } = JSON.parse(Buffer.from((await page.link()).split('#')[1], 'base64url')).view.zoom;
    await page.button('Fit the points').click();
    return { x: (x0 + x1) / 2, y: (y0 + y1) / 2 }; // decades in the middle
  };
  const kernels = (size, us) => ({
    'kernels.csv': `name,M,N,K,dtype,time_us\na,${size},${size},${size},fp16,${us}\nb,${size},${size},64,fp16,${us}\n`,
  });
  await page.drop(kernels(16, 1000));
  const slow = await shown();
  await page.drop(kernels(8192, 2000));
  const fast = await shown();
  await check('a second file of the same name', async () =>
    assert.ok(fast.y - slow.y > 1, JSON.stringify({ slow, fast })),
  );
  await check('with all its points', async () => {
    assert.equal(await page.chart.getAttribute('data-markers'), '2');
    assert.equal(await page.button(/outside$/).count(), 0);
  });
  await page.page.getByRole('slider', { name: 'Peak' }).press('ArrowRight');
  await page.settled();
  await check('a slider keeps the range', async () => assert.deepEqual(await shown(), fast));

  await page.openFrom(/Orin/);
  await page.drop({
    'net_per-layer.csv':
      'TFLite_operator,NNG Operator,SRAM Usage,Peak%,Op Cycles,Network%,NPU,SRAM AC,DRAM AC,OnFlash AC,OffFlash AC,MAC Count,Network%,Util%,Name\n' +
      'CONV_2D,Conv2DBias,4096,50.0,1024.0,50.6,1024.0,300.0,0.0,0.0,0.0,131072,67.2,50.0,net/conv\n' +
      'MAX_POOL_2D,MaxPool,4096,50.0,1000.0,49.4,900.0,1000.0,0.0,0.0,0.0,64000,32.8,25.0,net/pool\n',
  });
  await check('a file without bytes opens on the ridge: 256 GOP/s / 4 GB/s', async () => {
    const { x, y } = await shown();
    assert.ok(Math.abs(x - Math.log10(64)) < 0.5 && Math.abs(y - Math.log10(256e9)) < 1.2, JSON.stringify({ x, y }));
  });
  await check('and says why it has no points', async () =>
    assert.match(await page.view.innerText(), /No operation has both FLOPs and bytes/),
  );
  page.assertQuiet();
  await page.close();
});

test('the legend says which shape is which kind of operation', async () => {
  const page = await openPage();
  await page.legend.getByRole('button', { name: 'Shapes' }).click();
  const shapes = page.legend.getByRole('list', { name: 'Shapes' }).getByRole('listitem');
  await check('each with its kinds', async () => {
    const texts = (await shapes.allInnerTexts()).map(text => text.trim());
    assert.ok(
      texts.length > 1 && texts.some(text => text.startsWith('ID_CONV')) && texts.some(text => /MaxPool/.test(text)),
      `${texts}`,
    );
  });
  const first = page.tableRow('conv1').locator('.marker title');
  assert.equal(await first.textContent(), 'ID_CONV');
  await page.close();
});
