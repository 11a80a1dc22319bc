// Links between documents, to documents and from the page: each leads to a file, in the repository and on the site.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { documents } from '../web/docs.mjs';

const root = new URL('..', import.meta.url).pathname;
const ending = /\.([ch]pp|[mc]?js|d\.ts|tsx?|md|py|json|cmake|txt|1)$/;

function* files(folder) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!['node_modules', 'tests/data', 'presets/samples'].some(skipped => path.endsWith(skipped)))
        yield* files(path);
    } else if (entry.isFile() && (ending.test(entry.name) || !entry.name.includes('.'))) yield path;
  }
}

const sources = [
  ...['core', 'docs', 'npm', 'presets', 'tests', 'tools', 'wasm', 'web'].flatMap(folder => [...files(folder)]),
  ...readdirSync(root).filter(name => name.endsWith('.md')),
].map(path => ({ path, text: readFileSync(join(root, path), 'utf8') }));
const site = await documents(join(root, 'docs'));

test('a document that is named is there', () => {
  const missing = [];
  for (const { path, text } of sources)
    for (const [named] of text.matchAll(/(?<![\w/:.-])docs\/[a-z0-9_/-]+\.(md|1|png|svg)\b/g))
      if (!existsSync(join(root, named))) missing.push(`${path}: ${named}`);
  assert.deepEqual(missing, []);
});

test('a link between files of the repository leads to one', () => {
  const missing = [];
  for (const { path, text } of sources.filter(({ path }) => path.endsWith('.md')))
    for (const [, target] of text.matchAll(/\]\((?!https?:|#|<)([^)#\s]+)/g))
      if (!existsSync(join(root, path, '..', target))) missing.push(`${path}: ${target}`);
  assert.deepEqual(
    missing.filter(link => !link.startsWith('README.md: ../../deployments/')), // a page of GitHub
    [],
  );
});

test('a link between pages of the site leads to one, and to its heading', () => {
  const missing = [];
  for (const [name, html] of Object.entries(site))
    for (const [, target, anchor] of String(html).matchAll(/href="([\w-]+\.html)?(?:#([^"]+))?"/g)) {
      const page = target ? `docs/${target}` : name;
      if (!site[page] || (anchor && !site[page].includes(`id="${anchor}"`)))
        missing.push(`${name}: ${target}#${anchor}`);
    }
  assert.deepEqual(missing, []);
});

test("the page's links to documents lead to pages of the site", () => {
  const missing = [];
  for (const { path, text } of sources.filter(({ path }) => path.startsWith('web/src/')))
    for (const [, named] of text.matchAll(/href="(docs\/[\w-]+\.html)"/g))
      if (!site[named]) missing.push(`${path}: ${named}`);
  assert.deepEqual(missing, []);
});

test('a page keeps its address on the site, whichever folder its document is in', () => {
  const names =
    'accuracy agents architecture ascend calculator command-line compare conventions dependencies engines exercises fleet formats ' +
    'gallery kernels llm measuring npm nsight operators page pipeline presets privacy pytorch registry rocm validation xplane xprof';
  assert.deepEqual(
    names.split(' ').filter(name => !site[`docs/${name}.html`]),
    [],
  );
});
