// Numbers read on the page as the command prints them: web/src/format.ts meets the examples that core/src/base/text.cpp meets. A negative
// number has a minus sign on the page, a hyphen at the command.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';

const root = new URL('../../../', import.meta.url);
const { buildSync } = createRequire(new URL('web/package.json', root))('esbuild');
const [{ text }] = buildSync({
  entryPoints: [fileURLToPath(new URL('web/src/format.ts', root))],
  bundle: true,
  format: 'esm',
  write: false,
}).outputFiles;
const page = await import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);

const examples = JSON.parse(readFileSync(new URL('tests/data/numbers.json', root), 'utf8'));
const formatters = { ...page, with_unit: page.si };
for (const [name, rows] of Object.entries(examples))
  test(`numbers: ${name}`, () => {
    assert.ok(rows.length > 3);
    for (const row of rows)
      assert.equal(
        formatters[name](...row.slice(0, -1)),
        row.at(-1).replace(/^(>?)-/, '$1−'),
        `${name}(${row.slice(0, -1)})`,
      );
  });

test('numbers: ticks of time have no prefix above a second', () => {
  assert.equal(page.timeTick(0), '0 s');
  assert.equal(page.timeTick(1e-5), '10 µs');
  assert.equal(page.timeTick(1000), '1,000 s');
});
