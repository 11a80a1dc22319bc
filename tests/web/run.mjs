// The page in a real browser: node tests/web/run.mjs [theme...]. Ends with "N passed, N failed".
import { readdirSync } from 'node:fs';
import { Checks, launch, requireDist, serve } from './harness.mjs';

requireDist();
const wanted = process.argv.slice(2);
const themes = readdirSync(new URL('.', import.meta.url)).filter(name => name.endsWith('.test.mjs')).map(name => name.replace('.test.mjs', ''));
const server = await serve();
const browser = await launch();
let [passed, failed] = [0, 0];
for (const theme of themes.filter(name => wanted.length === 0 || wanted.includes(name)).sort()) {
  const checks = new Checks(theme);
  const start = performance.now();
  try {
    const { default: test } = await import(`./${theme}.test.mjs`);
    await test({ browser, url: server.url, checks });
  } catch (error) {
    checks.that(`runs to its end: ${error.stack ?? error}`, false);
  }
  console.log(`${theme}: ${checks.passed} passed, ${checks.failed} failed (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  passed += checks.passed;
  failed += checks.failed;
}
await browser.close();
server.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
