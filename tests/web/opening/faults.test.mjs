// Broken input: a banner that says what and where, and what was open stays.
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onnxModel } from '../../onnx.mjs';
import { check, openPage, root } from '../harness.mjs';
import { conv, four, mul } from '../inputs.mjs';

const UNUSABLE = {
  'empty.json': '',
  'blank.json': ' \n\t',
  'prose.json': 'hello',
  'cut.json': four.slice(0, 60),
  'tail.json': '[] x',
  'number.json': '42',
  'list.json': '[]',
  'no_rows.csv': 'name,time_us,flops,bytes\n',
  'nul.json': '[\0]',
  'picture.json': Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  'cut.json.gz': gzipSync(four).subarray(0, 60),
  'deep.json': '['.repeat(100_000),
};

let state = 1;
const noise = Buffer.from(Array.from({ length: 3000 }, () => ((state = (state * 48271) % 2147483647) >> 8) & 0xff));
const torchArchive = Buffer.concat([
  Buffer.from('PK\x03\x04', 'latin1'),
  Buffer.alloc(26),
  Buffer.from('net/data.pkl'),
  Buffer.alloc(20),
]);
const tflite = readFileSync(join(root, 'tests/data/network.tflite'));

test('a list that breaks off keeps the records before, and says so', async () => {
  const page = await openPage();
  const whole = JSON.parse(four).slice(0, 2);
  await page.drop({ 'cut.json': JSON.stringify(whole).slice(0, -1) + ',{"type": "ID' });
  await check('both records', async () => assert.equal(await page.count(), '2'));
  await check('an import error', async () =>
    assert.match(await page.page.locator('.remarks-button').innerText(), /import error/),
  );
  page.assertQuiet();
  await page.close();
});

test('faults', async () => {
  const page = await openPage();
  await page.drop({ 'good.json': four });
  for (const [name, content] of Object.entries(UNUSABLE)) {
    await page.drop({ [name]: content });
    const banner = await page.page.getByRole('alert').allInnerTexts();
    await check(`${name}: a banner names it and says what was expected`, async () =>
      assert.ok(
        banner.length === 1 &&
          banner[0].includes(name) &&
          /expected|not|ends|beyond|deep|cannot|This is/i.test(banner[0]),
        inspect(banner),
      ),
    );
    await check(`${name}: what was open stays`, async () =>
      assert.deepEqual([await page.text(page.sourceName), await page.count()], ['good.json', '4']),
    );
  }
  const cut = await page.drop({ 'cut.json': four.slice(0, 60) }).then(() => page.alert());
  await check('with line and column', async () => assert.ok(/line \d+, column \d+/.test(cut), inspect(cut)));

  for (const [name, content, says] of [
    ['rnd.bin', noise, /binary data of no known kind/],
    ['rnd.pt', noise, /binary data of no known kind/],
    [
      'weights.bin',
      Buffer.from('\x80\x02}q\x00.', 'latin1'),
      /This is a PyTorch model or another pickle.*weights alone/,
    ],
    ['net.pth', torchArchive, /This is a PyTorch model or another pickle/],
    ['rnd.xlsx', noise, /By its name, this is a spreadsheet/],
    ['cut.onnx', onnxModel('Foo').subarray(0, 20), /cut off or damaged/],
    [
      'empty.onnx',
      Buffer.from([0x08, 0x08, 0x3a, 0]),
      /The ONNX model has no nodes: it is empty, cut off or damaged\./,
    ],
    ['cut.tflite', tflite.subarray(0, 900), /cut off or damaged/],
  ]) {
    await page.drop({ [name]: content });
    await check(`${name}: what it is, by its content`, async () => assert.match(await page.alert(), says));
    await check(`${name}: not what a commands.json lacks`, async () =>
      assert.doesNotMatch(await page.alert(), /Expected at least one operation/),
    );
  }
  await page.page.getByRole('button', { name: 'Dismiss' }).click();
  await check('the banner can be dismissed', async () =>
    assert.deepEqual(await page.page.getByRole('alert').count(), 0),
  );

  await page.drop({ 'op_registry.json': '{"ops": {"ID_BAD": {"macs": "1 +", "bytes": "1"}}}' });
  await check('a broken registry names op and expression', async () =>
    assert.ok(/ID_BAD/.test(await page.alert()), inspect(await page.alert())),
  );
  await page.drop({ 'roofline_config.json': '{"machine": "h1000", "mem_bw": 50}' });
  await check('settings with an unknown machine are refused with near matches', async () =>
    assert.ok(/h1000.*h100/s.test(await page.alert()), inspect(await page.alert())),
  );
  await page.drop({ 'roofline_config.json': '{"mem_bw": 50}' });

  const faulty = [
    conv,
    7,
    { ...mul, name: 'negative', input_self: [-4] },
    { name: 'untyped' },
    { ...mul, name: 'hostile <script>alert(1)</script>' },
  ];
  await page.drop({ 'faulty.json': JSON.stringify(faulty, null, 1) });
  await check('records with faults are listed, not dropped', async () => assert.deepEqual(await page.count(), '5'));
  await page.page.getByRole('button', { name: /import (error|problem)s?$/ }).click();
  const remarks = page.page.getByRole('dialog', { name: /^Import (error|problem)s$/ }).getByRole('listitem');
  await check('each with its place, the severest first', async () => {
    const texts = await remarks.allInnerTexts();
    assert.ok(texts.length >= 3 && texts.every(text => /#\d/.test(text) && /line \d+/.test(text)), inspect(texts));
    assert.match(texts[0], /^error/);
  });
  await remarks.filter({ hasText: '#2' }).getByRole('button').first().click();
  await page.settled();
  await check('a click jumps to the op', async () => assert.deepEqual(await page.selectedName(), 'negative'));
  await page.tableRow('hostile').click();
  await page.settled();
  await check('<script> in a name is text', async () =>
    assert.deepEqual(await page.selectedName(), 'hostile <script>alert(1)</script>'),
  );
  page.assertQuiet();
  await page.close();
});
