// The headline of a language model's Scaling view: web/src/model/scaling_finding.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundled } from './bundled.mjs';

const { sweepFinding } = await bundled('model/scaling_finding.ts');

const finding = part =>
  sweepFinding({
    key: 'batch',
    label: 'FP16',
    curves: 3,
    anyFits: false,
    limits: 'memory-bound all along',
    fit: '',
    values: [1, 2, 4],
    fits: new Float32Array([0, 0, 0]),
    fitsTo: 0,
    figure: new Float32Array([10, 20, 40]),
    show: value => `${value} tokens/s`,
    estimated: false,
    ...part,
  })[0].text;

test('where no curve fits, the headline says it of all', () => {
  assert.equal(finding({}), 'None of the 3 fits at any batch shown. Memory-bound all along.');
  assert.match(finding({ anyFits: true }), /^FP16 does not fit at any batch shown\./);
  assert.match(finding({ curves: 1, label: '' }), /^It does not fit at any batch shown\./);
});
