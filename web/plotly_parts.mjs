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
  setup({ onLoad }) {
    onLoad({ filter: /plotly\.js[\\/]src[\\/].*\.js$/ }, async ({ path }) => {
      const text = (await readFile(path, 'utf8')).replace(DESCRIPTION, '');
      return { contents: /[\\/]src[\\/]core\.js$/.test(path) ? registered(text) : text };
    });
  },
};
