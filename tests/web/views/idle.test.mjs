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
  await check('the strip shows busy time, all calls of an operation together', async () =>
    assert.match(
      await page.page.getByRole('figure', { name: 'Busy time' }).innerText(),
      /Busy time, 40 µs, all calls of an operation together/,
    ),
  );
  await page.show('Timeline');
  await check('so does the timeline', async () => {
    const words = await page.text(page.view);
    assert.match(words, /Busy time: 40 µs/);
    assert.match(words, /All calls of an operation are one block, at its first call\. Idle time is left out: 60 µs/);
  });
  page.assertQuiet();
  await page.close();
});
