// Writes what Roofline is made of as CycloneDX 1.5 JSON: npm packages from web/package-lock.json with their versions and hashes, libraries and
// tools from the tables of docs/developer/dependencies.md.   tools/sbom runs it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = name => readFileSync(join(root, name), 'utf8');
const version = /project\(roofline VERSION ([\d.]+)/.exec(read('CMakeLists.txt'))[1];

const licensed = text => [
  / (AND|OR|WITH) /.test(text) ? { expression: text } : { license: { [isId(text) ? 'id' : 'name']: text } },
];
const isId = text => /^[A-Za-z0-9.+-]+$/.test(text) && !['UNLICENSED', 'NOASSERTION'].includes(text);

/** The lock file's packages. Required is what the page has within it, excluded what builds and tests it. */
function npmPackages() {
  const { packages } = JSON.parse(read('web/package-lock.json'));
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { version, license, integrity, dev, optional }]) => {
      const name = path.replace(/^.*node_modules\//, '');
      return {
        type: 'library',
        'bom-ref': `${path}@${version}`,
        name,
        version,
        scope: dev || optional ? 'excluded' : 'required',
        licenses: licensed(license ?? 'NOASSERTION'), // some say it in their README alone
        ...(integrity && { hashes: hashes(integrity) }),
        purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      };
    });
}

const ALGORITHMS = { sha1: 'SHA-1', sha256: 'SHA-256', sha512: 'SHA-512' };
const hashes = integrity =>
  integrity.split(' ').map(text => {
    const [, alg, base64] = /^(\w+)-(.*)$/.exec(text);
    return { alg: ALGORITHMS[alg], content: Buffer.from(base64, 'base64').toString('hex') };
  });

/** The rows of a table of docs/developer/dependencies.md: | name | what for | versions | licence | */
function table(heading, type, scope) {
  const section = read('docs/developer/dependencies.md')
    .split(/^## /m)
    .find(text => text.startsWith(heading));
  if (!section) throw new Error(`docs/developer/dependencies.md has no "## ${heading}"`);
  const rows = section
    .split('\n')
    .filter(line => line.startsWith('|'))
    .slice(2);
  return rows.map(line => {
    const [, first, purpose, versions, licence] = line.split('|').map(text => text.trim());
    const url = /\]\((.*?)\)/.exec(first)?.[1];
    const name = first.replace(/\[(.*?)\]\(.*?\)/g, '$1');
    return {
      type,
      'bom-ref': name,
      name,
      version: versions,
      description: purpose,
      scope: purpose === 'tests' ? 'excluded' : scope,
      licenses: licensed(licence),
      ...(url && { externalReferences: [{ type: 'website', url }] }),
    };
  });
}

const bom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: {
    component: { type: 'application', 'bom-ref': 'roofline', name: 'roofline', version, licenses: licensed('MIT') },
  },
  components: [
    ...table('C++ libraries', 'library', 'required'),
    ...table('Tools', 'application', 'excluded'),
    ...npmPackages(),
  ],
};
const text = `${JSON.stringify(bom, null, 2)}\n`;
const file = process.argv[2];
if (file) writeFileSync(file, text);
else process.stdout.write(text);
