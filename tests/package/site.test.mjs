// What is put on the web: its policy, that nothing in it makes code of text, that it is made of the same bytes each time, and its licences.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { buildElsewhere } from './elsewhere.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = join(root, 'dist');
const read = name => readFileSync(join(dist, name), 'utf8');

function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) yield* files(join(folder, entry.name));
    else yield join(folder, entry.name);
}
const hash = (content, form) => createHash('sha256').update(content).digest(form);
const hashesOf = folder =>
  Object.fromEntries([...files(folder)].sort().map(path => [relative(folder, path), hash(readFileSync(path), 'hex')]));

/// The directives of a page's policy: name to sources.
function policyOf(html) {
  const text = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? assert.fail('no policy');
  return Object.fromEntries(text.split('; ').map(part => [part.split(' ')[0], part.split(' ').slice(1)]));
}

test('every page has a policy: no script of others, no code made of text, no connection elsewhere', () => {
  const pages = [...files(dist)].filter(path => path.endsWith('.html'));
  assert.ok(pages.length > 10);
  for (const page of pages) {
    const html = readFileSync(page, 'utf8');
    const policy = policyOf(html);
    const allowed = [...(policy['script-src'] ?? []), ...(policy['style-src'] ?? []), ...(policy['connect-src'] ?? [])];
    assert.deepEqual(policy['default-src'], ["'none'"], page);
    for (const source of allowed)
      assert.match(source, /^('none'|'self'|'wasm-unsafe-eval'|blob:|'sha256-[\w+/]{43}=')$/, `${page}: ${source}`);
    assert.ok(!allowed.includes("'unsafe-inline'") && !allowed.includes("'unsafe-eval'"));
  }
});

test('the page as one file allows the scripts that are in it, by their hashes, and no connection', () => {
  const html = read('roofline.html');
  const policy = policyOf(html);
  assert.deepEqual(policy['connect-src'], ["'none'"]);
  const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, code]) => `'sha256-${hash(code, 'base64')}'`);
  assert.equal(scripts.length, 2);
  assert.deepEqual(
    policy['script-src'].filter(source => source.startsWith("'sha256-")),
    scripts,
  );
  assert.match(html, /<script type="application\/json" id="report"><\/script>/);
});

test('no script makes code of text, and none names another origin to connect to', () => {
  for (const name of [
    'main.js',
    'worker.js',
    'measure.js',
    'measure_worker.js',
    'plotly.js',
    'service_worker.js',
    'docs/theme.js',
  ]) {
    const code = read(name);
    assert.ok(!/\beval\(|new Function\(/.test(code), name);
    assert.ok(!/(fetch|importScripts|WebSocket|EventSource|sendBeacon)\(["'`]https?:/.test(code), name);
  }
});

test('every address is relative: the page works from any sub-path', () => {
  for (const [, address] of read('index.html').matchAll(/(?:src|href)="([^"]*)"/g))
    assert.match(address, /^(data:|\w)/);
  assert.ok(!/(?:src|href)="\//.test(read('index.html')));
});

test('the service worker keeps every file, by its hash', () => {
  const code = read('service_worker.js');
  for (const [name] of Object.entries(hashesOf(dist))) {
    if (['offline.js', 'service_worker.js'].includes(name)) continue;
    assert.ok(code.includes(hash(readFileSync(join(dist, name)), 'base64')), name);
  }
});

test('the licences of what is in the page', () => {
  const text = read('licences.txt');
  for (const name of [
    'preact',
    '@preact/signals',
    'comlink',
    'plotly.js',
    'nlohmann/json',
    'RapidJSON',
    'tl::expected',
  ])
    assert.ok(text.includes(name), name);
  for (const name of ['Catch2', 'CLI11', 'playwright']) assert.ok(!text.includes(name), name);
});

test('the same sources give the same page, from another folder too', () => {
  assert.deepEqual(hashesOf(buildElsewhere()), hashesOf(dist));
});

test('what it is made of: each package with version and licence', () => {
  const bom = JSON.parse(execFileSync(join(root, 'tools/sbom'), { encoding: 'utf8', maxBuffer: 1 << 26 }));
  assert.deepEqual([bom.bomFormat, bom.specVersion], ['CycloneDX', '1.5']);
  const required = bom.components.filter(({ scope }) => scope === 'required').map(({ name }) => name);
  for (const name of ['preact', 'plotly.js', 'nlohmann/json', 'zlib']) assert.ok(required.includes(name), name);
  for (const { name, version, licenses, purl, hashes } of bom.components) {
    assert.ok(name && version && licenses?.length, name);
    if (purl)
      assert.ok(
        hashes?.every(({ alg, content }) => alg && /^[0-9a-f]+$/.test(content)),
        name,
      );
  }
  const locked = JSON.parse(readFileSync(join(root, 'web/package-lock.json'), 'utf8')).packages;
  assert.equal(bom.components.filter(({ purl }) => purl).length, Object.keys(locked).length - 1);
  for (const name of Object.values(JSON.parse(readFileSync(join(root, 'web/package.json'), 'utf8')).dependencies))
    assert.match(name, /^\d+\.\d+\.\d+$/, 'exact');
});
