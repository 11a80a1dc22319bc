// The views above the table, in the order of their tabs. Adding one is adding its file and a line here.
import type { ComponentType } from 'preact';
import { ChartTools, RooflineChart } from '../chart/RooflineChart';
import { opened } from '../state/files';
import { modelRequest } from '../state/model';
import { operator } from '../state/operator';
import { viewState } from '../state/view';
import { Bars } from './Bars';
import { Compare } from './Compare';
import { Distribution } from './Distribution';
import { Formats } from './Formats';
import { HeatMap } from './HeatMap';
import { Inference } from './Inference';
import { Layers } from './Layers';
import { Machines } from './Machines';
import { ModelMachines } from './ModelMachines';
import { ModelSweep } from './ModelSweep';
import { Parity, parityApplies } from './Parity';
import { Precision } from './Precision';
import { SplitCharts } from './SplitCharts';
import { Steps } from './Steps';
import { Sweep } from './Sweep';
import { ThroughputMap } from './ThroughputMap';
import { TimeByCategory } from './TimeByCategory';

export interface ViewTab {
  id: string;
  label: string;
  View?: ComponentType;    // none: the table has the whole height
  Tools?: ComponentType;   // at the right end of the tabs
  applies?: () => boolean; // absent: always
  explore?: boolean;       // in the Explore menu instead of a tab of its own
}

const model = () => modelRequest.value !== null;

const VIEWS: ViewTab[] = [
  { id: 'roofline', label: 'Roofline', View: RooflineChart, Tools: ChartTools },
  { id: 'bars', label: 'Bars', View: Bars },
  { id: 'inference', label: 'Inference', View: Inference, applies: model },
  { id: 'model-sweep', label: 'Sweep', View: ModelSweep, applies: model },
  { id: 'formats', label: 'Formats', View: Formats, applies: () => operator.value !== null },
  { id: 'sweep', label: 'Sweep', View: Sweep, applies: () => operator.value !== null },
  { id: 'compare', label: 'Compare', View: Compare, applies: () => Boolean(opened.value?.before) },
  { id: 'table', label: 'Table only' },
  { id: 'categories', label: 'Time by category', View: TimeByCategory, explore: true, applies: () => (opened.value?.kinds.length ?? 0) > 1 && viewState.value.level !== 'program' },
  { id: 'steps', label: 'Steps and time', View: Steps, explore: true },
  { id: 'precision', label: 'Precision', View: Precision, explore: true },
  { id: 'parity', label: 'Parity', View: Parity, applies: parityApplies, explore: true },
  { id: 'machines', label: 'Machines', View: Machines, explore: true },
  { id: 'heatmap', label: 'Heat map', View: HeatMap, explore: true },
  { id: 'split', label: 'Split charts', View: SplitCharts, explore: true },
  { id: 'distribution', label: 'Distribution', View: Distribution, explore: true },
  { id: 'layers', label: 'Layers', View: Layers, applies: model, explore: true },
  { id: 'throughput', label: 'Batch and context', View: ThroughputMap, applies: model, explore: true },
  { id: 'model-machines', label: 'Machines for the model', View: ModelMachines, applies: model, explore: true },
];

/// The views that the data has something for.
export const viewTabs = () => VIEWS.filter(({ applies }) => applies?.() ?? true);

/// The one shown: the roofline where the chosen one does not apply.
export function shownView(): ViewTab {
  const tabs = viewTabs();
  return tabs.find(({ id }) => id === viewState.value.tab) ?? tabs[0]!;
}
