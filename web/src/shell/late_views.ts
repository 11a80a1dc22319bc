// The views that are fetched when the first of them is shown: web/late_views.mjs bundles them beside the page.
export { Modules } from '../network/Modules';
export { NetworkSweep } from '../network/NetworkSweep';
export { ModelSweep } from '../model/ModelSweep';
export { Serving } from '../serving/Serving';
export { ThroughputMap } from '../model/ThroughputMap';
