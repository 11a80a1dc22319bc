// An esbuild plugin: of Plotly's source, what the page's charts take. A quarter of the bundle is the meaning of each attribute, in words for
// its reference, and components that no chart has.
import { readFile } from 'node:fs/promises';

const UNUSED = [
  'annotations',
  'annotations3d',
  'colorbar',
  'grid',
  'images',
  'rangeselector',
  'rangeslider',
  'selections',
  'sliders',
  'updatemenus',
];

/** Modules that no chart calls: outlines of lasso selections, the toolbar's icons, promises of old browsers. */
const EMPTY = /^(polybooljs|native-promise-only|(\.\.?\/)+fonts\/ploticon)$/;

/** No axis has dates; their locale is made all the same. */
const DATES = `const format = () => String;
module.exports = { timeFormat: format, utcFormat: format, timeFormatLocale: () => ({ format, utcFormat: format }) };`;

/** Layouts of trees, chords and forces, and Voronoi diagrams: of D3 Plotly takes selections, scales, drags and axes. */
const D3_UNUSED = [
  ['  d3.layout = {};\n', '  d3.random = {\n'],
  ['  d3.geom.hull = function', '  d3.interpolateRgb = '],
];

function drawing(d3) {
  return D3_UNUSED.reduce((text, [first, end]) => {
    const [from, to] = [text.indexOf(first), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`D3 no longer has ${first.trim()} before ${end.trim()}`);
    return text.slice(0, from) + text.slice(to);
  }, d3);
}

/** An attribute's member: a string, or lines that are joined to one. */
const DESCRIPTION = /^\s*description: (?:'(?:[^'\\\n]|\\.)*'|\[[\s\S]*?\]\.join\('[^']*'\)),?$/gm;

/** The list of components that Plotly registers, without those. */
function registered(core) {
  return UNUSED.reduce((text, name) => {
    const line = `require('./components/${name}'),`;
    if (!text.includes(line)) throw new Error(`Plotly no longer registers its ${name} by ${line}`);
    return text.replace(line, '');
  }, core);
}

export const plotlyParts = {
  name: 'parts of Plotly',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: EMPTY }, ({ path }) => ({ path, namespace: 'empty' }));
    onResolve({ filter: /^d3-time-format$/ }, ({ path }) => ({ path, namespace: 'empty' }));
    onLoad({ filter: /.*/, namespace: 'empty' }, ({ path }) => ({
      contents: path === 'd3-time-format' ? DATES : 'module.exports = {};',
    }));
    onLoad({ filter: /@plotly[\\/]d3[\\/]d3\.js$/ }, async ({ path }) => ({
      contents: drawing(await readFile(path, 'utf8')),
    }));
    onLoad({ filter: /plotly\.js[\\/]src[\\/].*\.js$/ }, async ({ path }) => {
      const text = (await readFile(path, 'utf8')).replace(DESCRIPTION, '');
      return { contents: /[\\/]src[\\/]core\.js$/.test(path) ? registered(text) : text };
    });
  },
};
