// The page in a real browser, as TAP: node tests/web/run.mjs [NAME...]. A name is that of a folder or of a test; without names all run but
// those of speed/, which measure time and so run by themselves.
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { run } from 'node:test';
import { tap } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const wanted = process.argv.slice(2);
const files = readdirSync(here, { recursive: true })
  .filter(path => path.endsWith('.test.mjs'))
  .sort()
  .filter(
    path =>
      [dirname(path), basename(path, '.test.mjs')].some(name => wanted.includes(name)) ||
      (wanted.length === 0 && dirname(path) !== 'speed'),
  );
if (files.length === 0) throw new Error(`no test is called ${wanted.join(' or ')}`);
// One more than there are processors: a browser also waits for its frames.
run({ files: files.map(path => join(here, path)), concurrency: availableParallelism() + 1, timeout: 600_000 })
  .on('test:fail', () => (process.exitCode = 1))
  .compose(tap)
  .pipe(process.stdout);
