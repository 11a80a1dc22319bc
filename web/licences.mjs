// The licences of what the page has within it, as one text: of each npm package that the bundles took files from, its own licence file.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** `inputs`: the paths that the bundles were made from, as esbuild's metafile has them; `core`: the table of C++ libraries. */
export async function licences(inputs, core) {
  const folders = new Set(inputs.flatMap(path => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
  const texts = await Promise.all([...folders].sort().map(licence));
  return [
    'Roofline is under the MIT licence. In its page are these works of others.',
    ...core.map(([name, licence]) => `${name}: ${licence}`),
    'WebAssembly code of the C and C++ libraries of Emscripten (https://emscripten.org): MIT or NCSA, Apache-2.0 with LLVM exception',
    ...texts,
  ].join(`\n\n${'-'.repeat(80)}\n\n`);
}

async function licence(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).find(entry => /^(licen[cs]e|copying)/i.test(entry));
  const text = file ? (await readFile(join(folder, file), 'utf8')).trim() : '';
  return `${name} ${version}: ${typeof license === 'string' ? license : (license?.type ?? 'see its site')}\n\n${text}`.trim();
}

/** Name and licence of the C++ libraries in the page, from docs/developer/dependencies.md. */
export function coreLibraries(dependencies) {
  const section = dependencies.split(/^## /m).find(text => text.startsWith('C++ libraries')) ?? '';
  return section
    .split('\n')
    .filter(line => line.startsWith('|'))
    .slice(2)
    .filter(line => !/native only|\| tests/.test(line))
    .map(line => line.split('|').map(text => text.trim()))
    .map(([, name, , , licence]) => [name.replace(/\[(.*?)\]\((.*?)\)/, '$1 ($2)'), licence]);
}
