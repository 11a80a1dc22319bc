// The page, built once more from the same sources in a folder that goes with the test.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/// The folder of the page. `site`: the address where it will be, which its build is told.
export function buildElsewhere(site = process.env.ROOFLINE_SITE ?? '') {
  const other = mkdtempSync(join(tmpdir(), 'roofline-again-'));
  process.on('exit', () => rmSync(other, { recursive: true, force: true }));
  for (const part of [
    'CMakeLists.txt',
    'LICENSE',
    'docs',
    'presets',
    'wasm',
    'web/src',
    'build/wasm/roofline.js',
    'build/wasm/roofline.wasm',
    'build/wasm/measure.wasm',
    'build/wasm/network.wasm',
    'build/wasm/quantize.wasm',
    'build/wasm/serving.wasm',
    'tests/data/measured_serving.csv.gz',
  ])
    cpSync(join(root, part), join(other, part), { recursive: true });
  for (const name of readdirSync(join(root, 'web')))
    if (!['src', 'node_modules'].includes(name)) cpSync(join(root, 'web', name), join(other, 'web', name));
  symlinkSync(join(root, 'web/node_modules'), join(other, 'web/node_modules'));
  execFileSync(process.execPath, [join(other, 'web/build.mjs')], {
    stdio: 'ignore',
    env: { ...process.env, ROOFLINE_SITE: site },
  });
  return join(other, 'dist');
}
