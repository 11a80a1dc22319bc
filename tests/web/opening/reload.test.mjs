// Auto-reload: a changed file is read again and the view stays; under `roofline serve`, and by a file handle of the browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, openPage, serve } from '../harness.mjs';
import { conv, four, matmul, mul } from '../inputs.mjs';

test('reload', async () => {
  let operations = four;
  let stream = null;
  const server = await serve((name, response) => {
    if (name === 'live/info')
      response
        .writeHead(200)
        .end(JSON.stringify({ files: [{ role: 'operations', name: 'live.json', size: 1, version: 1 }] }));
    else if (name === 'live/file/operations') response.writeHead(200).end(operations);
    else if (name === 'live/events')
      (stream = response).writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    else response.writeHead(404).end();
  });
  const page = await openPage(server.url);
  await check('the served file is open', async () =>
    assert.deepEqual([await page.text(page.sourceName), await page.count()], ['live.json', '4']),
  );
  await check('marked as live', async () =>
    assert.deepEqual(await page.page.getByText('live', { exact: true }).count(), 1),
  );
  await page.tableRow('proj').click();
  await page.settled();

  operations = JSON.stringify([mul, conv, { ...matmul, time_ns: 640000 }]);
  stream.write('event: change\ndata: {"role":"operations","version":2}\n\n');
  await page.page.locator('.drawer .count', { hasText: /^3 / }).waitFor();
  await page.settled();
  await check('the same op stays selected', async () => assert.deepEqual(await page.selectedName(), 'proj'));
  await check('with its new time', async () => assert.ok((await page.text(page.figures)).includes('640 µs')));

  operations = '[';
  stream.write('event: change\ndata: {"role":"operations","version":3}\n\n');
  await page.page.getByRole('alert').waitFor();
  await check('a half-written file changes nothing', async () => assert.deepEqual(await page.count(), '3'));
  page.assertQuiet();
  await page.close();
  server.close();
  await byHandle();
});

/** A page whose picker gives a handle, whose file can be asked for again; `save` writes that file. */
async function withPicker() {
  const page = await openPage('', {
    clock: true,
    init: () => {
      globalThis.onDisk = { text: '', lastModified: 1 };
      const handle = {
        kind: 'file',
        name: 'followed.json',
        getFile: async () => new File([onDisk.text], 'followed.json', { lastModified: onDisk.lastModified }),
      };
      globalThis.showOpenFilePicker = async () => [handle];
    },
  });
  const save = (text, lastModified) => page.page.evaluate(file => (globalThis.onDisk = file), { text, lastModified });
  return { page, save };
}

test('a file that failed to open is not followed in place of the open one', async () => {
  const { page, save } = await withPicker();
  const shown = async () => [
    await page.text(page.sourceName),
    await page.count(),
    await page.page.getByText('live', { exact: true }).count(),
  ];
  const before = await shown();
  await save('[', 1);
  await page.openFrom(/^Open a profile or model/);
  await page.page.getByRole('alert').waitFor();
  await check('the sample stays, and is not live', async () => assert.deepEqual(await shown(), before));
  await save(four, 2);
  await page.clock.runFor(10_000);
  await page.settled();
  await check('nor does the corrected file come under its name', async () => assert.deepEqual(await shown(), before));
  page.assertQuiet();
  await page.close();
});

async function byHandle() {
  const { page, save } = await withPicker();
  await save(four, 1);
  await page.openFrom(/^Open a profile or model/);
  await page.page.locator('.drawer .count', { hasText: /^4 / }).waitFor();
  await page.settled();
  await check('a file chosen by handle is open and followed', async () =>
    assert.deepEqual(
      [await page.text(page.sourceName), await page.page.getByText('live', { exact: true }).count()],
      ['followed.json', 1],
    ),
  );
  await page.tableRow('proj').click();
  await page.settled();
  await save(JSON.stringify([mul, conv, { ...matmul, time_ns: 640000 }]), 2);
  await page.page.locator('.drawer .count', { hasText: /^3 / }).waitFor();
  await page.settled();
  await check('saved, it is read again and the same op stays selected', async () =>
    assert.deepEqual(await page.selectedName(), 'proj'),
  );
  await save('[', 3);
  await page.page.getByRole('alert').waitFor();
  await check('half saved, nothing changes', async () => assert.deepEqual(await page.count(), '3'));
  await page.drop({ 'other.json': four });
  await save(four.replace('proj', 'late'), 4);
  await page.clock.runFor(10_000);
  await page.settled();
  await check('another file opened: the first is not followed any more', async () =>
    assert.deepEqual(await page.text(page.sourceName), 'other.json'),
  );
  await page.page.keyboard.press('Control+z');
  await page.settled();
  await page.clock.runFor(3_000);
  await check('after Undo it is again', () => page.tableRow('late').waitFor());
  page.assertQuiet();
  await page.close();
}
