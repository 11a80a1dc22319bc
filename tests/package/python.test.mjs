// The Python module, by its own tests: python3 -m unittest. After tools/build native page.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
// The distribution's first: its packages are what tools/setup installs.
const python = ['/usr/bin/python3', 'python3'].find(name => spawnSync(name, ['--version']).status === 0);

test('tools/python/roofline.py', { skip: !python && 'no python3' }, t => {
  const { status, stderr } = spawnSync(python, ['-m', 'unittest', '-v', 'roofline_test'], {
    cwd: folder,
    env: { ...process.env, ...(process.env.ROOFLINE && { ROOFLINE: resolve(process.env.ROOFLINE) }) },
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  t.diagnostic(/^Ran \d+ tests.*$/m.exec(stderr)[0]);
  for (const [, name, why] of stderr.matchAll(/^(\w+) .*skipped '(.*)'$/gm)) t.diagnostic(`${name}: ${why}`);
});
