// .github/actions/roofline: its script, run as a runner of GitHub's runs it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { binary, folder, put, repository } from '../command.mjs';

const action = readFileSync(join(repository, '.github/actions/roofline/action.yml'), 'utf8');
const script = action
  .slice(action.indexOf('run: |\n') + 7)
  .split('\n')
  .map(line => line.slice(8))
  .join('\n');

const gemm = time_ns =>
  JSON.stringify([{ type: 'gemm', name: 'a', data_type: 'fp16', m: 4096, n: 4096, k: 4096, time_ns }]);
put('before.json', gemm(400_000));
put('after.json', gemm(500_000));

function run(inputs) {
  for (const file of ['summary', 'output']) rmSync(join(folder, file), { force: true });
  const { status, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      ROOFLINE: binary,
      GITHUB_STEP_SUMMARY: 'summary',
      GITHUB_OUTPUT: 'output',
      FILE: '',
      BEFORE: '',
      MACHINE: '',
      FAIL_IF: '',
      OPTIONS: '',
      ...inputs,
    },
  });
  const read = file => (existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : '');
  return { status, stderr, summary: read('summary'), output: read('output') };
}

await test('action: the verdict is in the summary and in a file', () => {
  const { status, stderr, summary, output } = run({
    FILE: 'after.json',
    MACHINE: 'h100-sxm',
    FAIL_IF: 'efficiency < 0.1\n\n',
    OPTIONS: '--top 1',
  });
  assert.equal(status, 0, stderr);
  assert.match(summary, /^\*\*Limited by neither, at 28% of its roof/);
  assert.equal(readFileSync(/^markdown=(.*)$/m.exec(output)[1], 'utf8'), summary);
});

await test('action: a condition fails the step, and the summary says which', () => {
  const inputs = {
    FILE: 'after.json',
    BEFORE: 'before.json',
    MACHINE: 'h100-sxm',
    FAIL_IF: 'comparable == 0\ntime_ratio > 1.03',
  };
  const { status, stderr, summary } = run(inputs);
  assert.equal(status, 3);
  assert.match(stderr, /^roofline: time_ratio > 1\.03: time_ratio is 1\.25$/m);
  assert.match(summary, /^\*\*100 µs lost \(25%\)/);
  assert.match(summary, /^ {4}roofline: time_ratio > 1\.03: time_ratio is 1\.25$/m);
});

await test('action: inputs are no shell', () => {
  const { status, summary } = run({ FILE: '$(touch pwned).json', FAIL_IF: 'efficiency < 0.5; touch pwned' });
  assert.ok(status > 0);
  assert.ok(!existsSync(join(folder, 'pwned')));
  assert.match(summary, /fail-if/);
});
