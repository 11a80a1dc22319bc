// Puts the npm package together: build/npm/package, and beside it the tarball that `npm publish` would send.
// Needs what tools/build wasm command page leaves.
import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'npm');
const out = join(root, 'build/npm');
const target = join(out, 'package');
const { build } = createRequire(join(root, 'web/package.json'))('esbuild');

const version = /project\(roofline VERSION ([\d.]+)/.exec(await readFile(join(root, 'CMakeLists.txt'), 'utf8'))[1];

const common = {
  bundle: true,
  minify: true,
  format: 'esm',
  alias: { 'roofline-glue': join(root, 'build/wasm/roofline.js') },
  logLevel: 'warning',
};

await rm(out, { recursive: true, force: true });
await mkdir(join(target, 'bin'), { recursive: true });
await build({
  ...common,
  platform: 'node',
  target: 'node18',
  entryPoints: [join(source, 'node.mjs')],
  outfile: join(target, 'node.mjs'),
  // The module's glue is of the older kind of script.
  banner: {
    js: "import{createRequire as _require}from'node:module';import{fileURLToPath as _path}from'node:url';const require=_require(import.meta.url),__filename=_path(import.meta.url),__dirname=_path(new URL('.',import.meta.url));",
  },
});
await build({
  ...common,
  target: ['chrome110', 'firefox115', 'safari16.4'],
  external: ['fs', 'path', 'crypto', 'url', 'worker_threads', 'node:*'], // the glue's branch for Node
  entryPoints: [join(source, 'browser.mjs')],
  outfile: join(target, 'browser.mjs'),
});
for (const name of ['README.md', 'command.mjs', 'serve.mjs', 'serve.json', 'bin/roofline.mjs'])
  await cp(join(source, name), join(target, name));
const request = /^export interface ModelRequest \{.*?^\}/ms.exec(
  await readFile(join(root, 'web/src/model/model_request.ts'), 'utf8'),
);
await writeFile(join(target, 'index.d.ts'), `${await readFile(join(source, 'index.d.ts'), 'utf8')}\n${request[0]}\n`);
for (const [from, to] of [
  ['build/wasm/roofline.wasm', 'roofline.wasm'],
  ['build/wasm/command.js', 'command.cjs'],
  ['build/wasm/command.wasm', 'command.wasm'],
  ['LICENSE', 'LICENSE'],
])
  await cp(join(root, from), join(target, to));
// offline.js is for opening the folder by a double click, which nobody does in node_modules.
await cp(join(root, 'dist'), join(target, 'dist'), { recursive: true, filter: from => !from.endsWith('offline.js') });
const described = { ...JSON.parse(await readFile(join(source, 'package.json'), 'utf8')), version };
await writeFile(join(target, 'package.json'), `${JSON.stringify(described, null, 2)}\n`);
console.log(
  execFileSync('npm', ['pack', '--silent', '--pack-destination', out], { cwd: target, encoding: 'utf8' }).trim(),
);
