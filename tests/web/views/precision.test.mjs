// Precision: what every format would buy against what it would lose, of samples and of a tensor of the user's.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { check, fromWeb, openPage } from '../harness.mjs';

const hash = state => `#${Buffer.from(JSON.stringify(state)).toString('base64url')}`;
const ops = JSON.stringify([
  { type: 'ID_MM', name: 'gemv', data_type: 'FP16', input_mat1: [1, 4096], input_mat2: [4096, 4096], time_ns: 1e6 },
  { type: 'ID_MM', name: 'square', data_type: 'FP16', input_mat1: [4096, 4096], input_mat2: [4096, 4096] },
]);

/** A safetensors file: whole numbers up to 7, then the same times one outlier of 100 per row. */
function weights() {
  const plain = Float32Array.from({ length: 1024 }, (_, i) => ((i * 7) % 15) - 7);
  const loud = plain.map((x, i) => (i % 256 === 0 ? 700 : x));
  const header = Buffer.from(
    JSON.stringify({
      plain: { dtype: 'F32', shape: [4, 256], data_offsets: [0, 4096] },
      loud: { dtype: 'F32', shape: [4, 256], data_offsets: [4096, 8192] },
    }),
  );
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([length, header, Buffer.from(plain.buffer), Buffer.from(loud.buffer)]);
}

/**
 * A .npy of whole numbers up to 7, and an .npz of it twice, as numpy.savez stores them; with `pack`, as what that makes of them, which is how
 * numpy.savez_compressed writes them. `stated`: how much longer the archive says they are.
 */
function tensors(pack, stated = 0) {
  const header = Buffer.from("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 64), }\n");
  const data = Buffer.from(Float32Array.from({ length: 128 }, (_, i) => (i % 15) - 7).buffer);
  const npy = Buffer.concat([
    Buffer.from([0x93]),
    Buffer.from('NUMPY'),
    Buffer.from([1, 0, header.length, 0]),
    header,
    data,
  ]);
  const number = (value, bytes) => Buffer.from(Array.from({ length: bytes }, (_, i) => (value >> (8 * i)) & 255));
  const names = ['steps.npy', 'bias.npy'];
  const packed = pack ? pack(npy) : npy;
  const start = Buffer.concat([number(0, 4), number(pack ? 8 : 0, 2), number(0, 4)]);
  const sizes = Buffer.concat([
    gzipSync(npy).subarray(-8, -4),
    number(packed.length, 4),
    number(npy.length + stated, 4),
  ]);
  const local = name =>
    Buffer.concat([
      Buffer.from('PK\x03\x04'),
      start,
      sizes,
      number(name.length, 2),
      number(0, 2),
      Buffer.from(name),
      packed,
    ]);
  const files = names.map(local);
  const list = Buffer.concat(
    names.map((name, i) =>
      Buffer.concat([
        Buffer.from('PK\x01\x02'),
        number(0, 2),
        start,
        sizes,
        number(name.length, 2),
        number(0, 12),
        number(i * files[0].length, 4),
        Buffer.from(name),
      ]),
    ),
  );
  const at = files.reduce((sum, file) => sum + file.length, 0);
  const end = Buffer.concat([
    Buffer.from('PK\x05\x06'),
    number(0, 4),
    number(2, 2),
    number(2, 2),
    number(list.length, 4),
    number(at, 4),
    number(0, 2),
  ]);
  return { npy, npz: Buffer.concat([...files, list, end]) };
}

test('precision', async () => {
  const page = await openPage('', { viewport: { width: 1440, height: 1000 } });
  await page.drop({ 'commands.json': ops });
  await page.show('Formats: Accuracy');
  const row = name => page.rows(page.view).filter({ has: page.page.getByRole('button', { name, exact: true }) });
  /** Bits, speed-up and SQNR. */
  const cells = async name => (await row(name).locator('td').allInnerTexts()).map(text => text.trim()).slice(1);
  const chart = page.page.getByRole('img', { name: /^Speed-up against SQNR/ });
  const points = chart.locator('.point');
  const pointOf = async name =>
    points.nth(
      await chart.evaluate(
        (element, text) => element.data[1].hovertext.findIndex(hover => hover.startsWith(text)),
        `${name}:`,
      ),
    );
  /** The row's cells once they are others than `before`. */
  const changed = async (name, before) => {
    await check(`${name} changes`, async () => assert.notDeepEqual(await cells(name), before));
    return cells(name);
  };
  await check('a point per format that has an SQNR', async () => assert.ok((await points.count()) >= 25));
  await check('INT8 on a Gaussian', async () => assert.deepEqual((await cells('INT8'))[1], '41.0'));
  await check('FP64 is exact', async () => assert.deepEqual((await cells('FP64'))[1], 'exact'));
  await check('the front is drawn', async () =>
    assert.match((await chart.locator('path.js-line').first().getAttribute('d')) ?? '', /H/),
  );
  await check('E5M2 is not on it, where E4M3 is as fast', async () =>
    assert.ok(!(await row('FP8 E5M2').getAttribute('class')).includes('front')),
  );

  await page.page.evaluate(readFileSync(fromWeb.resolve('axe-core/axe.min.js'), 'utf8'));
  const violations = await page.page.evaluate(() =>
    window.axe
      .run()
      .then(found =>
        found.violations
          .filter(({ impact }) => ['serious', 'critical'].includes(impact))
          .map(({ id, nodes }) => `${id}: ${nodes[0].html}`),
      ),
  );
  await check('axe finds nothing serious', async () => assert.deepEqual(violations, []));

  await page.page.getByLabel('Numbers', { exact: true }).selectOption('outlier_channels');
  await check('INT8 with outlier channels', async () => assert.deepEqual((await cells('INT8'))[1], '22.1'));
  const whatif = page.page.getByRole('combobox', { name: 'Weights', exact: true });
  await whatif.selectOption('int8');
  await check('the panel of changes states the accuracy of the same numbers', async () =>
    assert.match(await page.inputs.innerText(), /Accuracy: 22\.1 dB per tensor, assumed outlier channels/),
  );
  await whatif.selectOption('');

  await page.page.getByLabel('Scope', { exact: true }).selectOption('op');
  await page.button('Unfold the table').click();
  await page.operations.getByRole('gridcell', { name: 'gemv' }).first().click();
  await page.settled();
  // 50 GB/s: the bound is 671 µs of 1 ms; INT8 halves it: 1 / (1 - 0.336) = 1.51 at the low end.
  await check('the selected operation: a range', async () => assert.deepEqual((await cells('INT8'))[0], '1.51x to 2x'));
  const before = await cells('INT8');
  await page.slide('DRAM', 800);
  await check('another bandwidth is no gain of a format', async () => {
    assert.match(await page.headline(), / The what-if's other changes are ignored\.$/);
    assert.deepEqual(await cells('INT8'), before);
  });
  await page.page.getByRole('button', { name: 'Reset DRAM' }).click();

  await check('a format that the machine lacks is not listed', async () => assert.equal(await row('NVFP4').count(), 0));
  await page.view.getByRole('button', { name: 'show', exact: true }).click();
  await row('NVFP4').getByRole('button').click();
  await page.settled();
  await check('a click sets the what-if', async () =>
    assert.ok(/[\d]x/.test(await page.summary('What-if')), inspect(await page.texts(page.totals))),
  );
  await check('and marks it', async () =>
    assert.equal(await row('NVFP4').getByRole('button').getAttribute('aria-pressed'), 'true'),
  );
  await page.settled();
  const box = await (await pointOf('INT8')).boundingBox();
  await page.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.page.locator('.hovertext').first().waitFor(); // a click is of what is hovered
  await page.page.mouse.down();
  await page.page.mouse.up();
  await page.settled();
  await check('by its point too', async () =>
    assert.deepEqual(await row('INT8').getByRole('button').getAttribute('aria-pressed'), 'true'),
  );
  await row('INT8').getByRole('button').click();
  await page.totals.getByText('What-if', { exact: true }).waitFor({ state: 'detached' });
  await check('a second click takes it back', async () =>
    assert.deepEqual(await page.totals.getByText('What-if', { exact: true }).count(), 0),
  );

  const again = await openPage(await page.link(), { wait: false });
  await again.page.getByRole('main').filter({ hasText: 'commands.json' }).waitFor(); // the question for the file
  await again.drop({ 'commands.json': ops });
  await again.page.getByRole('img', { name: /^Speed-up against SQNR/ }).waitFor(); // the view of the link, which follows the file
  await again.settled();
  await check('the link holds the view', async () =>
    assert.deepEqual(await again.page.getByLabel('Numbers', { exact: true }).inputValue(), 'outlier_channels'),
  );
  await again.close();

  await page.drop({ 'weights.safetensors': weights() });
  await page.view.getByText('4 × 256 of F32').waitFor();
  await check('its extent', async () =>
    assert.ok((await page.text(page.view)).includes('from -7 to 7, RMS 4.3'), inspect(await page.text(page.view))),
  );
  await check('a tensor file: the first of its tensors', async () =>
    assert.deepEqual(await page.page.getByLabel('Tensor', { exact: true }).inputValue(), 'plain'),
  );
  await check('what is open stays', async () => assert.deepEqual(await page.count(), '2'));
  await check('it says nothing of activations, which are assumed', async () =>
    assert.deepEqual((await cells('INT4'))[1], '18.9'),
  );
  await page.page.getByLabel('Format of', { exact: true }).selectOption('weights');
  await check('INT4 holds its sixteen values', async () => assert.deepEqual((await cells('INT4'))[1], 'exact'));
  const exact = await cells('INT4');
  await page.page.getByLabel('Tensor', { exact: true }).selectOption('loud');
  const loud = await changed('INT4', exact);
  await check('another tensor has other losses', async () => assert.ok(Number(loud[1]) > 0, inspect(loud)));

  // Packed, and in an archive.
  const { npy, npz } = tensors();
  await page.drop({ 'weights.npy.gz': gzipSync(npy) });
  await page.view.getByText('2 × 64 of <f4').waitFor();
  await check('a packed tensor is opened', async () =>
    assert.deepEqual(
      await page.page.getByLabel('Numbers', { exact: true }).locator('option:checked').innerText(),
      'weights.npy.gz',
    ),
  );
  await page.drop({ 'model.npz': npz });
  await page.page.getByLabel('Tensor', { exact: true }).waitFor();
  await check('and the arrays of an archive', async () =>
    assert.deepEqual(await page.page.getByLabel('Tensor', { exact: true }).locator('option').allInnerTexts(), [
      'steps (2 × 64, <f4)',
      'bias (2 × 64, <f4)',
    ]),
  );
  await check('by their own numbers', async () => assert.deepEqual((await cells('INT4'))[1], 'exact'));
  await page.drop({ 'model.safetensors': weights() });
  await page.view.getByText('4 × 256 of F32').waitFor();
  await page.drop({ 'packed.npz': tensors(deflateRawSync).npz });
  await page.view.getByText('2 × 64 of <f4').waitFor();
  await check('what numpy.savez_compressed packs, too', async () =>
    assert.deepEqual(await page.page.getByLabel('Tensor', { exact: true }).locator('option').allInnerTexts(), [
      'steps (2 × 64, <f4)',
      'bias (2 × 64, <f4)',
    ]),
  );
  await check('by its own numbers', async () => assert.deepEqual((await cells('INT4'))[1], 'exact'));
  await page.drop({ 'model.safetensors': weights() });
  await page.view.getByText('4 × 256 of F32').waitFor();
  await page.page.getByLabel('Tensor', { exact: true }).selectOption('loud');
  for (const [name, npz] of Object.entries({
    'corrupt.npz': tensors(data => deflateRawSync(data).fill(0xff, 0, 1)).npz,
    'cut.npz': tensors(data => deflateRawSync(data).subarray(0, -20)).npz,
    'less.npz': tensors(deflateRawSync, -1).npz,
    'more.npz': tensors(deflateRawSync, 1).npz,
  })) {
    await page.drop({ [name]: npz });
    await page.page.getByRole('alert').filter({ hasText: name }).waitFor();
    await check(`${name}: what is wrong and what was expected`, async () =>
      assert.ok(
        /, steps: cannot be unpacked: expected the \d+ bytes that the archive states/.test(await page.alert()),
        inspect(await page.texts(page.notices)),
      ),
    );
  }

  await page.drop({
    'broken.npy': Buffer.concat([Buffer.from([0x93]), Buffer.from("NUMPY\x01\0\x05\0{'a'}", 'latin1')]),
  });
  await check('a broken file is refused with its reason', async () =>
    assert.ok(
      (await page.alert()).includes("broken.npy: has no 'descr': expected a header"),
      inspect(await page.texts(page.notices)),
    ),
  );
  await check('and takes nothing away', async () =>
    assert.deepEqual(await page.page.getByLabel('Tensor', { exact: true }).inputValue(), 'loud'),
  );
  page.assertQuiet();
  await page.close();
});

test('each name on the chart is beside its own dot, and whole', async () => {
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    const page = await openPage('', { viewport });
    await page.show('Formats: Accuracy');
    const chart = page.page.getByRole('img', { name: /^Speed-up against SQNR/ });
    const named = () =>
      chart.evaluate(box => {
        const { right } = box.getBoundingClientRect();
        const middle = part => {
          const { left, top, width, height } = part.getBoundingClientRect();
          return { x: left + width / 2, y: top + height / 2 };
        };
        const number = element => element.__data__.i; // of the point, as Plotly binds it: it draws no text for some
        const parts = [...box.querySelectorAll('.scatterlayer .point')];
        const dots = parts.sort((a, b) => number(a) - number(b)).map(middle);
        return [...box.querySelectorAll('.scatterlayer .textpoint')]
          .map(text => ({ name: text.textContent, dot: number(text), box: text.getBoundingClientRect() }))
          .filter(({ name }) => name.trim() !== '')
          .map(({ name, dot, box }) => {
            const away = ({ x, y }) =>
              Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
            const nearest = Math.min(...dots.map(away));
            return { name, own: away(dots[dot]), nearest, whole: box.right <= right };
          });
      });
    await check('names', async () => assert.ok((await named()).length > 3));
    for (const { name, own, nearest, whole } of await named()) {
      assert.ok(own - nearest < 1, `${name}: ${own} px from its dot, ${nearest} from the nearest`);
      assert.ok(whole, `${name} is cut at ${viewport.width}`);
    }
    await page.close();
  }
});

const LONG = 'MobilenetV1/MobilenetV1/Conv2d_';
const layers = JSON.stringify(
  Array.from({ length: 6 }, (_, i) => ({
    type: 'ID_MM',
    name: `${LONG}${i}_pointwise/weights_quant/convolution`,
    data_type: 'FP16',
    input_mat1: [1, 4096],
    input_mat2: [4096, 4096],
  })),
);

test('layers whose names begin alike have different names in the table', async () => {
  const page = await openPage('', { viewport: { width: 1440, height: 900 } });
  const names = JSON.stringify(
    JSON.parse(layers).map((layer, i) => ({ ...layer, name: `${LONG}depthwise/a_rather_long_part/layer_${i}` })),
  );
  await page.drop({ 'network.json': names });
  await page.show('Formats: Accuracy');
  await page.page.getByRole('button', { name: 'Per layer' }).click();
  const table = page.page.getByRole('region', { name: 'A format for each layer' });
  await check('every end is in view', async () => {
    const ends = await table.getByRole('rowheader').evaluateAll(cells =>
      cells.map(cell => {
        const end = cell.querySelector('.long-name > :last-child');
        return end && end.getBoundingClientRect().right <= cell.getBoundingClientRect().right + 1 && end.textContent;
      }),
    );
    assert.deepEqual(
      ends.map(end => end?.at(-1)),
      ['0', '1', '2', '3', '4', '5'],
    );
  });
  await check('the accuracy that all have on the same numbers is said once', async () => {
    assert.match(await table.innerText(), /Accuracy is measured on the distribution chosen above: .+ [\d.]+ dB/);
    assert.equal(await table.getByRole('columnheader', { name: 'dB' }).count(), 0);
  });
  await page.close();
});

test('an accuracy that is being typed is not lost when an answer arrives', async () => {
  const page = await openPage();
  await page.show('Formats: Accuracy');
  await page.page.getByRole('button', { name: 'Per layer' }).click();
  const least = page.page.getByLabel('Least accuracy, dB');
  await least.fill('15'); // and no Enter
  await page.page.getByLabel('Format of').selectOption({ label: 'All operands that take it' });
  await page.settled();
  assert.equal(await least.inputValue(), '15');
  await check('it is used', async () => assert.match(await page.headline(), /^At 15 dB, /));
  page.assertQuiet();
  await page.close();
});

test('tensors that are named after no layer are said to be', async () => {
  const page = await openPage();
  await page.drop({ 'network.json': layers });
  await page.drop({ 'weights.safetensors': weights() });
  await page.page.getByRole('button', { name: 'Per layer' }).click();
  await check('below the headline', async () =>
    assert.match(
      await page.text(page.view.getByRole('status').filter({ hasText: 'None of' })),
      /None of the \d tensors in weights\.safetensors has a layer’s name\./,
    ),
  );
  page.assertQuiet();
  await page.close();
});

test('the controls stay where they are when the headline changes its length', async () => {
  const page = await openPage('', { viewport: { width: 1440, height: 900 } });
  await page.drop({ 'network.json': layers });
  await page.show('Formats: Accuracy');
  const least = page.page.getByLabel('Least accuracy, dB');
  const top = async () => (await least.boundingBox()).y;
  await page.settled();
  const before = await top();
  const lengths = new Set();
  await page.page.getByRole('button', { name: 'Per layer' }).click();
  for (const db of ['18', '30', '90', '15', '120', '30']) {
    await least.fill(db);
    await least.press('Enter');
    await page.settled();
    lengths.add((await page.headline()).length);
    assert.equal(await top(), before, `${db} dB`);
  }
  assert.ok(lengths.size > 2);
  await page.close();
});

test('grey: below the threshold, or of unknown accuracy', async () => {
  const page = await openPage('', { viewport: { width: 1440, height: 900 } });
  await page.drop({ 'network.json': layers });
  await page.show('Formats: Accuracy');
  const chart = page.page.getByRole('img', { name: /^Speed-up against SQNR/ });
  await chart.locator('.point').first().waitFor();
  await page.settled();
  const points = await chart.evaluate(({ data: [, { hovertext, marker }] }) =>
    hovertext.map((text, i) => ({ text, colour: marker.color[i], symbol: marker.symbol[i] })),
  );
  const db = text => Number(/, (-?[\d.]+) dB/.exec(text)?.[1] ?? Infinity);
  const grey = new Set(points.filter(({ text }) => db(text) < 30).map(({ colour }) => colour));
  const kept = points.filter(({ text }) => db(text) >= 30);
  assert.equal(grey.size, 1);
  assert.ok(new Set(kept.map(({ symbol }) => symbol)).size > 1, 'some are on the front, some are not');
  for (const { text, colour } of kept) assert.ok(!grey.has(colour), text);
  await check('the key says it', async () =>
    assert.match(
      await page.text(page.view),
      /Circle: Pareto-optimal, no other format is both faster and more accurate\. Bold: also at least 30 dB and 1\.05x faster\. Grey: below 30 dB, or accuracy unknown\./,
    ),
  );
  await check('no row is bold and grey', async () => {
    const classes = await page.rows(page.view).evaluateAll(rows => rows.map(row => row.className));
    assert.ok(classes.some(of => of.includes('front')) && classes.some(of => of.includes('muted')));
    assert.deepEqual(
      classes.filter(of => of.includes('front') && of.includes('muted')),
      [],
    );
  });
  await page.close();
});

test('accuracies of assumed numbers are marked beside the headline, and their choice is one click away', async () => {
  const page = await openPage('', { viewport: { width: 1440, height: 900 } });
  await page.drop({ 'network.json': layers });
  await page.show('Formats: Accuracy');
  const mark = page.page.getByRole('button', { name: /^assumed numbers: / });
  for (const way of ['Same format everywhere', 'Per layer']) {
    await page.page.getByRole('button', { name: way }).click();
    await check(way, async () => assert.equal(await mark.innerText(), 'assumed numbers: Gaussian'));
  }
  await mark.click();
  const numbers = page.page.getByLabel('Numbers', { exact: true });
  await check('the choice has the focus', async () =>
    assert.ok(await numbers.evaluate(select => select === document.activeElement)),
  );
  await page.page.keyboard.press('Escape');
  await numbers.selectOption('student_t5');
  await check('and names others', async () => assert.match(await mark.innerText(), /^assumed numbers: Heavy tails/));
  await page.show('Summary');
  await check('no mark without accuracies', async () => assert.equal(await mark.count(), 0));
  page.assertQuiet();
  await page.close();
});

test('the speed-up by threshold names the formats that come in, and marks the chosen threshold', async () => {
  const page = await openPage('', { viewport: { width: 1440, height: 900 } });
  await page.drop({ 'network.json': layers });
  await page.show('Formats: Accuracy');
  await page.page.getByRole('button', { name: 'Per layer' }).click();
  const chart = page.page.getByRole('img', { name: /^Speed-up of the mix/ });
  await chart.locator('.point').first().waitFor();
  const drawn = () =>
    chart.evaluate(({ data: [, { y, text, marker }] }) => ({
      y,
      text,
      marked: marker.size.indexOf(Math.max(...marker.size)),
      sizes: new Set(marker.size).size,
    }));
  await check('names', async () =>
    assert.ok(
      (await drawn()).text.some(text => /INT8/.test(text)),
      JSON.stringify(await drawn()),
    ),
  );
  const least = page.page.getByLabel('Least accuracy, dB');
  for (const db of [30, 45]) {
    await least.fill(String(db));
    await least.press('Enter');
    await page.settled();
    await check(`${db} dB`, async () => {
      const { y, marked, sizes } = await drawn();
      assert.equal(sizes, 2);
      assert.ok(y[marked] >= db && (y[marked + 1] ?? 0) < db, `${y[marked]} dB`);
    });
  }
  page.assertQuiet();
  await page.close();
});

test('the formats of an operator are alternatives, not layers of a network', async () => {
  const request = { type: 'gemm', parameters: { m: 64, n: 4096, k: 4096 }, formats: ['fp16', 'int8'] };
  const page = await openPage(
    hash({
      source: { built: 'operator', request },
      settings: { machine: 'h100-sxm' },
      view: { tab: 'precision', byLayer: true },
    }),
  );
  await check('one format at a time, of the selected row', async () =>
    assert.match(await page.headline(), /^At 30 dB or more, the fastest is /),
  );
  for (const control of ['Per layer', 'Scope'])
    assert.equal(await page.page.getByText(control, { exact: true }).count(), 0, control);
  page.assertQuiet();
  await page.close();
});

test('the chart names the fastest format that keeps the accuracy, which arrives after others were drawn', async () => {
  const request = { model: 'llama-3-8b', phase: 'decode', batch: 1, context: 4096 };
  const page = await openPage(
    hash({
      source: { built: 'model', request },
      settings: { machine: 'a100-80gb-sxm' },
      view: { tab: 'precision' },
    }),
  );
  const fastest = () => page.headline().then(text => /the fastest is (GGUF \w+) weights/.exec(text)?.[1]);
  await check('a type of GGUF is the fastest', async () => assert.ok(await fastest()));
  const names = page.page.getByRole('img', { name: /^Speed-up against SQNR/ }).locator('.textpoint text');
  await check('its name is there', async () =>
    assert.ok((await names.allTextContents()).includes(await fastest()), inspect(await names.allTextContents())),
  );
  page.assertQuiet();
  await page.close();
});

test('formats that the machine does not support are listed apart', async () => {
  const page = await openPage(hash({ source: { sample: 'resnet-50' } }));
  const all = page.inputs.getByLabel('All operands');
  const apart = () => all.locator('optgroup[label="Not supported by the machine"] option').allTextContents();
  await check('one rate for every format does not cover shared scales', async () =>
    assert.ok((await apart()).includes('MXFP4'), inspect(await apart())),
  );
  await check('others are supported', async () => assert.ok(!(await apart()).includes('FP8 E4M3')));
  await all.selectOption('MXFP4');
  await page.settled();
  await check('they can be chosen', async () => assert.match(await page.words(), /MXFP4/));
  await page.drop({ 'blackwell.json': JSON.stringify({ machine: 'b200-sxm', ops: JSON.parse(ops) }) });
  await check('another file brings another machine', async () => {
    assert.ok((await apart()).includes('INT4'), inspect(await apart()));
    assert.ok(!(await apart()).includes('MXFP4'), inspect(await apart()));
  });
  page.assertQuiet();
  await page.close();
});

test('a link with a distribution that this version does not know shows the usual one', async () => {
  const state = { view: { tab: 'precision', sample: 'laplace' }, source: { file: 'network.json', text: layers } };
  const page = await openPage(`#${Buffer.from(JSON.stringify(state)).toString('base64url')}`);
  await check('Gaussian', async () =>
    assert.equal(await page.page.getByLabel('Numbers', { exact: true }).inputValue(), 'gaussian'),
  );
  page.assertQuiet();
  await page.close();
});

test('the table of layers says which operands take each format', async () => {
  const state = { source: { sample: 'resnet-50' }, view: { tab: 'precision', byLayer: true, thresholdDb: 18 } };
  const page = await openPage(`#${Buffer.from(JSON.stringify(state)).toString('base64url')}`);
  const layers = page.page.getByRole('region', { name: 'A format for each layer' }).getByRole('table');
  const formats = await page.column(layers, 'Format');
  await check('all of them, or the weights alone', async () => {
    assert.ok(formats.includes('INT4 in all operands'), formats.join());
    assert.ok(formats.includes('NF4 weights'), formats.join());
  });
  await page.close();
});
