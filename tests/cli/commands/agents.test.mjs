// docs/guide/agents.md: each of its commands runs as it stands, and has the members that it is said to be read for.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { binary, folder, put, repository } from '../command.mjs';

const gemm = (name, m, time_ns) => ({ type: 'gemm', name, data_type: 'fp16', m, n: 4096, k: 4096, time_ns });
put('commands.json', JSON.stringify([gemm('first', 4096, 500_000), gemm('second', 1, 30_000)]));
put('before.json', JSON.stringify([gemm('first', 4096, 400_000), gemm('second', 1, 30_000)]));
put('after.json', JSON.stringify([gemm('first', 4096, 500_000), gemm('second', 1, 30_000)]));
symlinkSync(binary, join(folder, 'roofline'));

/// Every value at "ops[].name".
function values(document, path) {
  let found = [document];
  for (const step of path.split('.')) {
    const [key, ...lists] = step.split('[]');
    found = found.flatMap(value =>
      key === '' ? [value] : value !== null && typeof value === 'object' && key in value ? [value[key]] : [],
    );
    for (const _ of lists) found = found.flat();
  }
  return found;
}

const page = readFileSync(join(repository, 'docs/guide/agents.md'), 'utf8');
const rows = page
  .split('\n')
  .filter(line => line.startsWith('| '))
  .slice(1)
  .map(line => line.split('|').map(cell => cell.trim()));
assert.ok(rows.length > 10);

for (const [, question, command, read] of rows) {
  await test(`agents: ${question}`, () => {
    const { status, stdout, stderr } = spawnSync('bash', ['-c', command.replace(/^`|`$/g, '')], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` },
    });
    if (read.startsWith('exit status 3')) {
      assert.equal(status, 3, stderr);
      assert.match(stderr, /^roofline: /m);
      return;
    }
    assert.equal(status, 0, stderr);
    if (!read.startsWith('`')) {
      assert.match(stdout.split('\n\n')[1], /: up to \d.* faster\./);
      return;
    }
    const document = JSON.parse(stdout);
    for (const [, path] of read.matchAll(/`([^`]+)`/g)) {
      const found = values(document, path);
      assert.ok(found.length > 0, `${path} is not in the answer`);
      assert.ok(
        found.some(value => value !== null),
        `${path} is null`,
      );
    }
  });
}

await test('agents: every member that the text names is in a schema', () => {
  const schema =
    spawnSync(binary, ['schema', 'analysis'], { encoding: 'utf8' }).stdout +
    spawnSync(binary, ['schema', 'compare'], { encoding: 'utf8' }).stdout;
  const text = page.slice(page.indexOf('## A loop'));
  const named = [...text.matchAll(/`([a-z_]+(?:\.[a-z_]+)*)`/g)].map(([, name]) => name);
  for (const name of named.filter(n => !['compute', 'assumed', 'null', 'compare'].includes(n)))
    assert.ok(schema.includes(`"${name.split('.').at(-1)}"`), name);
});
