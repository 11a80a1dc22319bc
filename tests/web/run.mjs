// The page in a real browser, as TAP: node tests/web/run.mjs [theme...]. Without names all of tests/web/*.test.mjs.
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { run } from 'node:test';
import { tap } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

const wanted = process.argv.slice(2);
const files = readdirSync(new URL('.', import.meta.url))
  .filter(name => name.endsWith('.test.mjs'))
  .sort()
  .filter(name => wanted.length === 0 || wanted.includes(name.replace('.test.mjs', '')));
run({ files: files.map(name => fileURLToPath(new URL(name, import.meta.url))), concurrency: availableParallelism() })
  .on('test:fail', () => (process.exitCode = 1))
  .compose(tap)
  .pipe(process.stdout);
