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

/** Modules that are loaded and do nothing here: no chart has a toolbar, selects by a lasso or edits its shapes; the stylesheet is a file. */
const IDLE = {
  'build/plotcss.js': '',
  'src/components/modebar/manage.js': 'module.exports = () => {};',
  'src/components/selections/index.js': 'module.exports = { prepSelect() {}, clearOutline() {}, selectOnClick() {} };',
  'src/components/shapes/display_outlines.js': 'module.exports = () => {};',
  'src/plot_api/template_api.js': 'module.exports = {};',
  'src/plot_api/validate.js': '',
};

/** No axis has dates; their locale is made all the same. */
const DATES = `const format = () => String;
module.exports = { timeFormat: format, utcFormat: format, timeFormatLocale: () => ({ format, utcFormat: format }) };`;

/** Of D3 Plotly takes selections, transitions and drags. */
const D3_UNUSED = [
  ['  d3.layout = {};\n', '  d3.random = {\n'], // of trees, chords and forces
  ['  d3.geom.hull = function', '  d3.interpolateRgb = '], // and Voronoi diagrams
  ['  d3.interpolateZoom = ', '  d3.color = '],
  ['  d3.xhr = ', '  var d3_timer_queueHead'], // and tables of text
  ['  d3.scale.log = ', '  d3.svg = {'],
  ['  d3.svg.arc = ', '  d3_selectionPrototype.transition = '], // shapes, areas and symbols
  ['  d3.svg.axis = ', '  if (typeof define'], // brushes, and files by their format
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
  setup({ onLoad, onResolve, onEnd }) {
    const left = new Set(Object.keys(IDLE));
    onEnd(() => {
      if (left.size > 0) throw new Error(`Plotly no longer has ${[...left].join(', ')}`);
    });
    onResolve({ filter: EMPTY }, ({ path }) => ({ path, namespace: 'empty' }));
    onResolve({ filter: /^d3-time-format$/ }, ({ path }) => ({ path, namespace: 'empty' }));
    onLoad({ filter: /.*/, namespace: 'empty' }, ({ path }) => ({
      contents: path === 'd3-time-format' ? DATES : 'module.exports = {};',
    }));
    onLoad({ filter: /@plotly[\\/]d3[\\/]d3\.js$/ }, async ({ path }) => ({
      contents: drawing(await readFile(path, 'utf8')),
    }));
    onLoad({ filter: /plotly\.js[\\/](src|build)[\\/].*\.js$/ }, async ({ path }) => {
      const name = path.replaceAll('\\', '/').split('/plotly.js/').at(-1);
      if (name in IDLE) {
        left.delete(name);
        return { contents: IDLE[name] };
      }
      const text = (await readFile(path, 'utf8')).replace(DESCRIPTION, '');
      return { contents: /[\\/]src[\\/]core\.js$/.test(path) ? registered(text) : text };
    });
  },
};
