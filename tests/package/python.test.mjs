// The Python module, by its own tests: python3 -m unittest. After tools/build native page.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const none = spawnSync('python3', ['--version']).status !== 0 && 'no python3';

test('tools/python/roofline.py', { skip: none }, t => {
  const { status, stderr } = spawnSync('python3', ['-m', 'unittest', '-v', 'roofline_test'], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  t.diagnostic(/^Ran \d+ tests.*$/m.exec(stderr)[0]);
  for (const [, name, why] of stderr.matchAll(/^(\w+) .*skipped '(.*)'$/gm)) t.diagnostic(`${name}: ${why}`);
});
