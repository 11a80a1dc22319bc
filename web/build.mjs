// Bundles the page into dist/, a folder of static files that works from any web server and from file://.
//
// In                               Out
//   web/index.html                   index.html    copied; it carries the Content-Security-Policy and loads style.css and main.js (defer)
//   web/style.css                    style.css     @import allowed, minified
//   web/src/main.tsx                 main.js       the page: a classic script, with the first picture in it (import text from "first-picture")
//                                                  and the accuracy of each format (import from "format-accuracies")
//   web/src/shell/late_views.ts      views.js      the views that are loaded when the first of them is shown (late_views.mjs): its exports become
//                                                  globalThis.RooflineViews
//   web/late.css                     views.css     their styles
//   web/src/worker.ts                worker.js     a classic worker with the module's glue in it (import createRoofline from "roofline-glue")
//   build/wasm/roofline.wasm         roofline.wasm the module
//   build/wasm/*.wasm                network.wasm, quantize.wasm, serving.wasm  the modules that are fetched when they are first needed
//   tests/data/measured_serving.csv.gz  measured_serving.json  published serving runs, fetched with the Serving tab (measured_serving.mjs)
//   web/src/measure/bundle.tsx       measure.js    the dialog that measures this machine, loaded when it is asked for, with measure.css,
//   web/src/measure/worker.ts        measure_worker.js  one core of it, and
//   build/wasm/measure.wasm          measure.wasm  its kernels, and
//   wasm/measure/relaxed.wat         relaxed.wasm  those in relaxed SIMD, assembled (assembled.mjs)
//   web/src/plotly/bundle.ts         plotly.js     the parts of Plotly that are used (plotly_parts.mjs), loaded when needed by a <script>: its exports
//                                                  become globalThis.RooflinePlotly
//   plotly.js/build/plotcss.js       plotly.css    Plotly's stylesheet, which the policy keeps it from injecting; Plotly leaves it alone when
//                                                  linked as <link rel="stylesheet" id="plotly.js-style-global" class="no-inline-styles">
//   presets/samples/*.{json,csv}     samples/*
//   docs/preview.png                 preview.png   what a link to the page shows elsewhere; its address is whole where ROOFLINE_SITE says where the
//                                                  page will be ("https://example.org/roofline/"), which most of those who show it ask for
//   docs/*/*.md, web/docs.css        docs/*        the documents as pages (docs.mjs)
//   licences of what is in it        licences.txt  (licences.mjs)
//   worker.js, the modules,          offline.js    for file://, where nothing can be fetched and a worker must come from a Blob: loaded by a
//   samples/*.json                                 <script>, it sets globalThis.rooflineFiles = { "worker.js": base64 of its gzip, ... }
//   all of these                     roofline.html the whole page as one file (single.mjs)
//   web/src/service_worker.ts        service_worker.js  with the hash of each of these, but offline.js
//
// Types of "roofline-glue" are in wasm/glue.d.ts (tsconfig.json, paths). Scripts under tests/ find packages by createRequire of web/package.json.
// Constants for the sources:  VERSION: string;  SITE: the address of the live site, from ROOFLINE_SITE, else "";  BUILD: a hash
// of everything, by which the page asks for its files.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { assembled } from './assembled.mjs';
import { ownDocuments, singleFile } from './single.mjs';
import { documents } from './docs.mjs';
import { lateViews } from './late_views.mjs';
import { coreLibraries, licences } from './licences.mjs';
import { measuredServing } from './measured_serving.mjs';
import { plotlyParts } from './plotly_parts.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const web = join(root, 'web');
const dist = join(root, 'dist');
const samplesFolder = join(root, 'presets/samples');

const version = /project\(roofline VERSION ([\d.]+)/.exec(await readFile(join(root, 'CMakeLists.txt'), 'utf8'))[1];
const samples = (await readdir(samplesFolder)).filter(name => /\.(json|csv)$/.test(name)).sort();

/** Stands for the hash of everything, until that is known. */
const BUILD = '@build-of-the-page@';

/** Where links of the page as one file lead. */
const site = (process.env.ROOFLINE_SITE ?? '').replace(/\/*$/, process.env.ROOFLINE_SITE ? '/' : '');

const common = {
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['chrome110', 'firefox115', 'safari16.4'],
  define: {
    VERSION: JSON.stringify(version),
    SITE: JSON.stringify(site),
    BUILD: JSON.stringify(BUILD),
    global: 'globalThis', // Plotly's dependencies expect Node's name
  },
  alias: { 'roofline-glue': join(root, 'build/wasm/roofline.js') },
  external: ['fs', 'path', 'crypto', 'worker_threads', 'node:*'], // the glue's branch for Node
  legalComments: 'none',
  logLevel: 'warning',
  write: false,
  metafile: true,
  absWorkingDir: root,
};

const bundled = new Set(); // the files that bundles were made from

function contentsOf(result) {
  for (const path of Object.keys(result.metafile.inputs)) if (!path.startsWith('shared:')) bundled.add(path);
  return result.outputFiles[0].contents;
}

const bundle = async (entry, options = {}) =>
  contentsOf(await build({ ...common, entryPoints: [join(web, entry)], ...options }));

/** main.js and views.js. */
async function scripts() {
  const page = { ...common, jsx: 'automatic', jsxImportSource: 'preact' };
  const main = shared => ({
    ...page,
    entryPoints: [join(web, 'src/main.tsx')],
    plugins: [
      madeModules({
        'first-picture': [picture, 'text'],
        'format-accuracies': [accuracies, 'json'],
        'shared-with-views': [shared, 'js'],
      }),
    ],
  });
  const alone = await build(main(''));
  const inMain = new Set(Object.keys(alone.metafile.inputs).map(path => join(root, path)));
  const { script, shared } = await lateViews({ ...page, entryPoints: [join(web, 'src/shell/late_views.ts')] }, inMain);
  return [contentsOf(await build(main(shared))), contentsOf(script)];
}

/** Runs Plotly's own list of rules against a recorder. It inserts each rule before the ones it has. */
async function plotlyStyles() {
  const source = await readFile(join(web, 'node_modules/plotly.js/build/plotcss.js'), 'utf8');
  const rules = [];
  new Function('require', source)(() => ({
    addStyleRule: (selector, style) => rules.unshift(`${selector}{${style}}`),
  }));
  return rules.join('\n');
}

/** Runs the page's worker on the first sample. Returns the picture shown until the browser's worker is ready (src/worker/first_picture.ts), and the accuracies. */
async function madeByCore(wasm) {
  const code = join(root, 'build/page/picture.cjs');
  await build({
    ...common,
    entryPoints: [join(web, 'src/worker/picture.ts')],
    format: 'cjs',
    platform: 'node',
    write: true,
    outfile: code,
  });
  const { makePicture, formatAccuracies } = createRequire(import.meta.url)(code);
  const list = JSON.parse(await readFile(join(samplesFolder, 'index.json'), 'utf8'));
  return [await makePicture(wasm, list, await readFile(join(samplesFolder, list[0].file), 'utf8')), formatAccuracies()];
}

const wasm = await readFile(join(root, 'build/wasm/roofline.wasm'));
const [picture, accuracies] = await madeByCore(wasm);
/** Modules that the build makes: name -> [text, loader]. */
const madeModules = modules => ({
  name: 'made-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^(${Object.keys(modules).join('|')})$`) }, ({ path }) => ({
      path,
      namespace: 'made',
    }));
    onLoad({ filter: /.*/, namespace: 'made' }, ({ path }) => {
      const [contents, loader] = modules[path];
      return { contents, loader, resolveDir: web };
    });
  },
});

const [
  html,
  [main, views],
  style,
  viewsStyle,
  worker,
  measure,
  measureCss,
  measureWorker,
  plotly,
  plotlyCss,
  docs,
  docsStyle,
  docsTheme,
] = await Promise.all([
  readFile(join(web, 'index.html')),
  scripts(),
  bundle('style.css'),
  bundle('late.css'),
  bundle('src/worker.ts'),
  bundle('src/measure/bundle.tsx', { jsx: 'automatic', jsxImportSource: 'preact', globalName: 'RooflineMeasuring' }),
  bundle('src/measure/measure.css'),
  bundle('src/measure/worker.ts'),
  // Plotly imports the stylesheet of a map library that is not part of this bundle.
  bundle('src/plotly/bundle.ts', {
    globalName: 'RooflinePlotly',
    loader: { '.css': 'empty' },
    plugins: [plotlyParts],
  }),
  plotlyStyles(),
  documents(join(root, 'docs')),
  bundle('docs.css'),
  bundle('src/docs_theme.ts'),
]);

const fetched = {
  'worker.js': worker,
  'roofline.wasm': wasm,
  'measure_worker.js': measureWorker,
  'measure.wasm': await readFile(join(root, 'build/wasm/measure.wasm')),
  'relaxed.wasm': await assembled(join(root, 'wasm/measure/relaxed.wat')),
};
fetched['measured_serving.json'] = measuredServing(await readFile(join(root, 'tests/data/measured_serving.csv.gz')));
for (const name of ['network.wasm', 'quantize.wasm', 'serving.wasm'])
  fetched[name] = await readFile(join(root, 'build/wasm', name));
for (const name of samples) fetched[`samples/${name}`] = await readFile(join(samplesFolder, name));
const packed = contents =>
  `globalThis.rooflineFiles=${JSON.stringify(
    Object.fromEntries(
      Object.entries(contents).map(([name, content]) => [name, gzipSync(content, { level: 9 }).toString('base64')]),
    ),
  )};\n`;

const text = bytes => Buffer.from(bytes).toString();
const hash = (content, form) => createHash('sha256').update(content).digest(form);
const stamp = hash(
  [
    html,
    main,
    style,
    views,
    viewsStyle,
    ...Object.values(fetched),
    measure,
    measureCss,
    plotly,
    plotlyCss,
    ...Object.values(docs),
  ]
    .map(part => hash(part, 'hex'))
    .join(),
  'hex',
).slice(0, 12);
const mainScript = text(main).replaceAll(BUILD, stamp);
const measureScript = text(measure).replaceAll(BUILD, stamp);
const shownLater = {
  'views.js': views,
  'views.css': viewsStyle,
  'plotly.js': plotly,
  'plotly.css': plotlyCss,
  'measure.js': measureScript,
  'measure.css': measureCss,
};
const notices = await licences(
  [...bundled].map(path => join(root, path)),
  coreLibraries(await readFile(join(root, 'docs/developer/dependencies.md'), 'utf8')),
);
const versioned = String(html)
  .replace('content="preview.png"', `content="${site}preview.png"`)
  .replace(/(href="style\.css|src="main\.js)"/g, `$1?v=${stamp}"`);
const files = {
  'index.html': versioned,
  'preview.png': await readFile(join(root, 'docs/preview.png')),
  'main.js': mainScript,
  'style.css': style,
  ...fetched,
  ...shownLater,
  ...docs,
  'docs/docs.css': docsStyle,
  'docs/theme.js': docsTheme,
  'licences.txt': notices,
  'offline.js': packed(fetched),
  'roofline.html': singleFile({
    html: String(html),
    style: text(style),
    data: packed({
      ...fetched,
      ...shownLater,
      ...ownDocuments(docs, text(docsStyle)),
      'licences.txt': notices,
    }),
    main: mainScript,
  }),
};
// What works without a network: everything but what is for file:// alone.
const kept = Object.fromEntries(
  Object.entries(files)
    .filter(([name]) => name !== 'offline.js')
    .map(([name, content]) => [name, hash(content, 'base64')]),
);
files['service_worker.js'] = await bundle('src/service_worker.ts', {
  define: { ...common.define, BUILD: JSON.stringify(stamp), KEPT: JSON.stringify(kept) },
});

await rm(dist, { recursive: true, force: true });
for (const folder of ['samples', 'docs']) await mkdir(join(dist, folder), { recursive: true });
for (const [name, content] of Object.entries(files)) {
  await writeFile(join(dist, name), content);
  const kB = bytes => (bytes / 1000).toFixed(1).padStart(7);
  console.log(`dist/${name.padEnd(30)}${kB(content.length)} kB ${kB(gzipSync(content, { level: 9 }).length)} kB gzip`);
}
