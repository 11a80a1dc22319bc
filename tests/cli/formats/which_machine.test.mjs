// Where a measured file does not say which machine ran it, standard error asks; figures and exit status are as without the question.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { put, roofline } from '../command.mjs';

// 733 TFLOP/s, and 3 TB/s: nothing for the standard NPU.
const table = 'name,M,N,K,dtype,time_us\nsm90_gemm,8192,8192,8192,fp16,1500\nsm90_gemv,1,8192,8192,fp16,45\n';
const gemv = { type: 'GEMV', data_type: 'FP16', m: 1, k: 4096, n: 4096 };
const analyze = (input, ...options) => roofline(['analyze', '-', ...options], { input });

test('the question names the fastest rates and the machines they and the names tell', () => {
  const { status, out, err } = analyze(table);
  assert.equal(status, 0);
  assert.match(
    err,
    /^Which machine ran this\? The fastest rows reach 733 TFLOP\/s and 2\.98 TB\/s: H100 SXM \(kernels for sm_90, 89% of its HBM bandwidth\).* \(--machine h100-sxm\)\n$/m,
  );
  assert.match(out, /^Assumed: /);
  assert.match(out, /This did not run on the assumed .+: both ops exceed its roof by over 25%\./);
  assert.doesNotMatch(out, /efficiency|above bound/);
  assert.match(
    analyze(table.replaceAll('sm90_', '')).err,
    /The fastest rows reach .*: the file names no machine, and \d+ of \d+ known machines allow these rates \(--machine ID\)\n/,
  );
});

test('answered, it is not asked, and efficiency and lost time are told', () => {
  const { status, out, err } = analyze(table, '--machine', 'h100-sxm');
  assert.deepEqual([status, err], [0, '']);
  assert.match(
    out,
    /^Compute limits 97% of the 1\.55 ms\. The ops with the most time above the bound are already near the roof\./m,
  );
  assert.match(out, /^efficiency /m);
});

test('a machine that cannot have run it is asked about, too', () => {
  const { err, out } = analyze(table, '--machine', 't4');
  assert.match(err, /^Which machine ran this\?/m);
  assert.match(out, /This did not run on NVIDIA T4/);
});

test('JSON says how it came by its machine, and keeps its figures', () => {
  const basis = (...options) => JSON.parse(analyze(table, '-o', 'json', ...options).out).machine.basis;
  assert.deepEqual(
    [basis(), basis('--machine', 'h100-sxm'), basis('--set', 'machine=a30'), basis('--set', 'peak_tops=8')],
    ['assumed', 'chosen', 'chosen', 'assumed'],
  );
  const { ops, summary, machine } = JSON.parse(analyze(table, '-o', 'json').out);
  assert.equal(summary.ran_elsewhere, true);
  assert.equal(summary.far_above_roof, 2);
  assert.equal(summary.lost_time_s, 0);
  assert.ok(ops[0].efficiency > 20 && summary.efficiency > 20);
  put('given back.json', JSON.stringify(machine));
  assert.equal(analyze(table, '--machine', './given back.json').status, 0);
  const stated = JSON.stringify({ machine: 'a30', ops: [{ ...gemv, time_ns: 90000 }] });
  const { out, err } = analyze(stated, '-o', 'json');
  assert.deepEqual([JSON.parse(out).machine.basis, err], ['stated', '']);
});

test('a machine that the file states is not asked about, whatever its figures', () => {
  const { err, out } = analyze(JSON.stringify({ machine: 'a30', ops: [{ ...gemv, time_ns: 900 }] }));
  assert.equal(err, '');
  assert.match(out, /The file says NVIDIA A30, but 1 op exceeds/);
  assert.doesNotMatch(out, /efficiency|above bound/);
});

test('without times nothing is asked', () => {
  const { err, out } = analyze(JSON.stringify([gemv]));
  assert.equal(err, '');
  assert.match(out, /on an assumed /);
});

test('a fit that explains nothing is refused with the reason', () => {
  // Rates over four decades, in turn fast and slow: no fraction and no launch time makes sense of them.
  const rows = Array.from({ length: 12 }, (_, i) => `op${i},4096,4096,4096,fp16,${i % 2 ? 2e6 : 200}`).join('\n');
  const { status, err } = analyze(`name,M,N,K,dtype,time_us\n${rows}\n`, '--machine', 'h100-sxm', '--fit', '/dev/null');
  assert.equal(status, 1);
  assert.match(err, /--fit: a fit explains nothing here: .*root mean square error of \d+%.*NVIDIA H100 SXM/);
});

test('a comparison asks as well', () => {
  put('before.csv', table);
  put('after.csv', table.replace('1500', '1400'));
  const compare = (...options) => roofline(['compare', 'before.csv', 'after.csv', ...options]);
  assert.match(compare().err, /^Which machine ran this\? .*\(--machine h100-sxm\)$/m);
  assert.equal(compare('--machine', 'h100-sxm').err, '');
});

test('what is said of a language model says on which machine, where nobody chose one', () => {
  const finding = (...options) => roofline(['llm', 'llama-3.2-1b', ...options]).out.split('\n')[0];
  assert.match(finding(), / is memory-bound on \S+ on an assumed /);
  assert.doesNotMatch(finding('--machine', 'h100-sxm'), /assumed/);
});
