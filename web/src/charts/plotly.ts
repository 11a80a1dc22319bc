// The part of Plotly that the page uses, as its own file: bars, a legend, hovering. web/plotly.mjs leaves out what these name but never reach.
import bar from 'plotly.js/lib/bar';
import fx from 'plotly.js/src/components/fx';
import legend from 'plotly.js/src/components/legend';
import en from 'plotly.js/src/locale-en';
import enUs from 'plotly.js/src/locale-en-us';
import api from 'plotly.js/src/plot_api/plot_api';
import { register } from 'plotly.js/src/registry';

/// Plotly reads what these components leave in its layout, and the kind of trace that is its default, whether there are any or not.
const without = (name: string, rest: object) => ({ moduleType: 'component', name, supplyLayoutDefaults: (_: object, layout: object) => Object.assign(layout, rest) });
const scatter = { ...bar, name: 'scatter', categories: [] };

for (const [name, fn] of Object.entries(api)) register({ moduleType: 'apiMethod', name, fn });  // they call each other by name
register([bar, scatter, legend, fx, without('shapes', { shapes: [] }), without('modebar', { modebar: {} }), en, enUs]);
export default { react: api.react, purge: api.purge };
