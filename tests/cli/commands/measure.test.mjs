// `roofline measure`: the machine file of this computer, and of a GPU by clpeak.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder, put, refused, roofline } from '../command.mjs';

await test('measure: a machine file of measured figures, which op takes', () => {
  const { status, out, err } = roofline(['measure', '--threads', '1', '-o', 'json']);
  assert.equal(status, 0, err);
  const machine = JSON.parse(out);
  assert.match(machine.name, /, 1 thread, measured$/);
  assert.deepEqual(Object.keys(machine.peaks.matrix), ['fp64', 'fp32', 'int8']);
  assert.deepEqual(Object.keys(machine.peaks.vector), ['fp64', 'fp32']);
  const memories = machine.memories.map(({ name }) => name);
  assert.equal(memories[0], 'DRAM');
  assert.deepEqual(
    memories.slice(1),
    memories.slice(1).map((_, i) => `L${memories.length - 1 - i}`),
    'from the outermost inward',
  );
  const figures = [...Object.values(machine.peaks.matrix), ...machine.memories.map(({ bandwidth }) => bandwidth)];
  for (const { value, basis, source } of figures) {
    assert.ok(value > 1e7 && value < 1e16, String(value)); // FLOP/s or B/s of any computer
    assert.equal(basis, 'measured');
    assert.match(source, /^roofline measure, 1 thread: .*(best of \d+, the median [\d.<]+% below|measured once)$/);
  }
  // A vector holds twice as many numbers of half the width; the same kernel of bytes does more still.
  const { fp64, fp32, int8 } = machine.peaks.matrix;
  assert.ok(fp32.value > 1.3 * fp64.value && fp32.value < 3 * fp64.value, `FP32 ${fp32.value}, FP64 ${fp64.value}`);
  assert.ok(int8.value > fp32.value, `INT8 ${int8.value}, FP32 ${fp32.value}`);
  // Levels are steps down: each at least a quarter faster than the next one out, to the noise of this computer.
  const rates = machine.memories.map(({ bandwidth }) => bandwidth.value);
  assert.ok(rates.at(-1) > 2 * rates[0], `the innermost is far above DRAM: ${rates}`);
  for (let i = 2; i < rates.length; ++i) assert.ok(rates[i] > 1.2 * rates[i - 1], String(rates));
  assert.ok(machine.notes.length >= 4, String(machine.notes));
  assert.match(machine.notes[1], /^FP32: .*FLOP\/s by one thread .*by all in 128-bit vectors/);

  put('mine.json', out);
  const gemm = roofline([
    'op',
    'gemm',
    'm=512',
    'n=512',
    'k=512',
    '--formats',
    'fp32,int8',
    '--machine',
    'mine.json',
    '-o',
    'json',
  ]);
  assert.equal(gemm.status, 0, gemm.err);
  assert.equal(JSON.parse(gemm.out).machine.name, machine.name);
});

await test('measure: the table has every working set', () => {
  const { status, out, err } = roofline(['measure', '--threads', '1']);
  assert.equal(status, 0, err);
  assert.match(err, /^Measuring for about/);
  assert.match(out, /^peak +all cores +spread +one core +128 bit +instructions$/m);
  assert.match(out, /^fp32 +[\d.,]+ [GTM]?FLOP\/s/m);
  for (const size of ['16 KiB', '1 MiB', '256 MiB', '512 MiB'])
    assert.match(out, new RegExp(`^ *${size} +[\\d.,]+ [GTM]B/s`, 'm'));
});

await test('measure: wrong numbers of threads', () => {
  for (const threads of ['0', '-1', 'all', '5000']) refused(2, ['measure', '--threads', threads], /--threads/);
});

/// A folder with a `clpeak` that writes `text` to the file of its option --xml-file.
function standIn(name, text) {
  mkdirSync(join(folder, name));
  put(`${name}/results.xml`, text);
  put(
    `${name}/clpeak`,
    `#!/bin/sh\necho measuring\nwhile [ $# -gt 1 ]; do [ "$1" = --xml-file ] && cp ${join(folder, name)}/results.xml "$2"; shift; done\n`,
  );
  chmodSync(join(folder, name, 'clpeak'), 0o755);
  return { env: { ...process.env, PATH: `${join(folder, name)}:/bin:/usr/bin` } };
}

await test('measure --gpu: the machine that clpeak measured', () => {
  const device =
    '<clpeak os="Linux"><platform name="P"><device name="Some GPU"><global_memory_bandwidth unit="gbps"><float>200</float></global_memory_bandwidth>' +
    '<single_precision_compute unit="gflops"><float>5000</float></single_precision_compute>' +
    '<kernel_launch_latency unit="us">8</kernel_launch_latency></device></platform></clpeak>';
  const { status, out, err } = roofline(['measure', '--gpu', '-o', 'json'], standIn('gpu', device));
  assert.equal(status, 0, err);
  assert.match(err, /measuring/, "clpeak's own output is not among the results");
  const machine = JSON.parse(out);
  assert.deepEqual(
    [machine.name, machine.memories[0].bandwidth.value, machine.peaks.vector.fp32.value, machine.launch_s.value],
    ['Some GPU, measured by clpeak', 200e9, 5e12, 8e-6],
  );
  const table = roofline(['measure', '--gpu'], {
    env: { ...process.env, PATH: `${join(folder, 'gpu')}:/bin:/usr/bin` },
  });
  assert.match(table.out, /^FP32 +5 TFLOP\/s$/m);
  refused(1, ['measure', '--gpu'], /clpeak: .*no <run>/, standIn('none', '<clpeak os="Linux"></clpeak>'));
  refused(1, ['measure', '--gpu'], /clpeak is not installed; expected it on the PATH/, {
    env: { ...process.env, PATH: folder },
  });
});
