// The custom bundle of Plotly: its core, which has scatter plots, and bars. A file of its own, fetched when a chart first needs it (Chart.tsx).
import bar from 'plotly.js/lib/bar';
import Plotly from 'plotly.js/lib/core';

Plotly.register([bar]);

export default Plotly;
