// The views that are fetched when the first of them is shown: web/late_views.mjs bundles them beside the page.
export { ModelSweep } from '../model/ModelSweep';
export { Precision } from '../precision/Precision';
export { Serving } from '../serving/Serving';
export { ThroughputMap } from '../model/ThroughputMap';
