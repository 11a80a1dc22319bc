// A trace with gaps between its kernels: headline, totals, strip and timeline say so.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, openPage } from '../harness.mjs';

const kernel = (name, ts, dur) => ({
  ph: 'X',
  cat: 'kernel',
  name,
  pid: 0,
  tid: 7,
  ts,
  dur,
  args: { device: 0, stream: 7, correlation: ts },
});
/** Two calls of one kernel and one of another: busy for 40 of 100 µs. */
const trace = JSON.stringify({
  schemaVersion: 1,
  deviceProperties: [{ id: 0, name: 'NVIDIA A100-SXM4-80GB' }],
  traceEvents: [kernel('gather', 1000, 10), kernel('gather', 1030, 20), kernel('scatter', 1090, 10)],
});

test('idle time is said wherever busy time is shown', async () => {
  const page = await openPage('', { viewport: { width: 1440, height: 900 } });
  await page.drop({ 'gaps.json': trace });
  await check('the headline begins with it', async () =>
    assert.match(
      await page.headline(),
      /^The device is idle for 60% of the 100 µs between its first and last kernel\./,
    ),
  );
  await check('it is a total', async () =>
    assert.match(await page.page.getByLabel('Totals of the operations shown').innerText(), /Idle\s+60 µs\s+60%/),
  );
  const strip = page.page.getByRole('figure', { name: 'The run' });
  await check('the strip has the gaps', async () =>
    assert.match(await strip.innerText(), /^The run, 100 µs; in the gaps the device is idle/),
  );
  await check('each launch is where it ran', async () => {
    const d = (
      await strip.locator('path[data-limit]').evaluateAll(all => all.map(path => path.getAttribute('d')))
    ).join('');
    assert.deepEqual(
      [...d.matchAll(/M([\d.]+) 0h([\d.]+)/g)].map(([, x, width]) => [+x, +width]),
      [
        [0, 100],
        [300, 200],
        [900, 100],
      ],
    );
  });
  await page.show('Timeline');
  await check('so has the timeline', async () => {
    const words = await page.text(page.view);
    assert.match(words, /Whole run: 100 µs, idle 60%/);
    assert.match(words, /3 launches, 40 µs: /);
    assert.match(words, /In the gaps the device is idle/);
  });
  await check('its headline names the longest gap', async () =>
    assert.match(
      await page.sentence(),
      /^The device is idle for 60% of the 100 µs, in 2 gaps, the longest of 40 µs before scatter\./,
    ),
  );
  page.assertQuiet();
  await page.close();
});
