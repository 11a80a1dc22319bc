// The part of Plotly that the page uses, as its own file.
import Plotly from 'plotly.js/lib/core';
import bar from 'plotly.js/lib/bar';

Plotly.register([bar]);
export default Plotly;
