// Networks whose weights the page must not read: 2 GB in the file, or in a file that is not there.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { MACS, WEIGHT_BYTES, writeOnnxWithoutItsData, writeSparseOnnx } from '../../onnx.mjs';
import { openPage } from '../harness.mjs';

const folder = mkdtempSync(join(tmpdir(), 'roofline-large-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

for (const [title, write] of [
  ['of 2 GB, most of it a hole', writeSparseOnnx],
  ['without the file of its data', writeOnnxWithoutItsData],
])
  test(`a network ${title}`, async t => {
    const path = join(folder, 'large.onnx');
    write(path);
    const page = await openPage();
    const start = performance.now();
    await page.page.locator('#file-input').setInputFiles(path);
    await page.page.getByRole('heading', { name: /^At least/, level: 1 }).waitFor();
    await page.page.getByText('large.onnx').first().waitFor();
    t.diagnostic(`${Math.round(performance.now() - start)} ms from the choice of the file to its headline`);
    const { summary } = JSON.parse(await readFile((await page.download('JSON')).path, 'utf8'));
    assert.equal(summary.weights_bytes, WEIGHT_BYTES);
    assert.equal(summary.matrix_macs, MACS);
    page.assertQuiet();
    await page.close();
  });
