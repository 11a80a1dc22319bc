// The views that are fetched when the first of them is shown: web/late_views.mjs bundles them beside the page.
export { ActivationMemory } from '../network/ActivationMemory';
export { Inference } from '../model/Inference';
export { Mixtures } from '../quantize/Mixtures';
export { Modules } from '../network/Modules';
export { NetworkSource } from '../network/NetworkSource';
export { NetworkSweep } from '../network/NetworkSweep';
export { ModelSweep } from '../model/ModelSweep';
export { NetworkPlan } from '../quantize/NetworkPlan';
export { OffloadSource } from '../model/OffloadSource';
export { Precision } from '../precision/Precision';
export { Serving } from '../serving/Serving';
export { ThroughputMap } from '../model/ThroughputMap';
