// The views that are fetched when the first of them is shown: web/late_views.mjs bundles them beside the page.
export { Bars } from '../charts/Bars';
export { Distribution } from '../charts/Distribution';
export { HeatMap } from '../charts/HeatMap';
export { SplitCharts } from '../charts/SplitCharts';
export { Inference } from '../model/Inference';
export { MachineEditor } from '../machine/MachineEditor';
export { Mixtures } from '../quantize/Mixtures';
export { Modules } from '../network/Modules';
export { NetworkSweep } from '../network/NetworkSweep';
export { ModelSweep } from '../model/ModelSweep';
export { NetworkPlan } from '../quantize/NetworkPlan';
export { OffloadSource } from '../model/OffloadSource';
export { Precision } from '../precision/Precision';
export { Serving } from '../serving/Serving';
export { ThroughputMap } from '../model/ThroughputMap';
export { Sweep } from '../operator/Sweep';
