// The views above the table, in the order of their tabs. To add one, add its file and a line here.
import type { ComponentType } from 'preact';
import { ChartTools, RooflineChart } from './views/roofline/RooflineChart';
import { opened } from './state/files';
import { modelRequest } from './state/model';
import { operator } from './state/operator';
import { changeView, viewState } from './state/view';
import { Bars } from './views/Bars';
import { Compare } from './views/Compare';
import { Distribution } from './views/Distribution';
import { Formats } from './views/Formats';
import { HeatMap } from './views/HeatMap';
import { Inference } from './views/Inference';
import { Layers } from './views/Layers';
import { MachineFormats } from './views/MachineFormats';
import { Machines } from './views/Machines';
import { ModelMachines } from './views/ModelMachines';
import { ModelSweep } from './views/ModelSweep';
import { Parity, parityApplies } from './views/Parity';
import { Precision } from './views/precision/Precision';
import { SplitCharts } from './views/SplitCharts';
import { Steps } from './views/Steps';
import { Sweep } from './views/Sweep';
import { ThroughputMap } from './views/ThroughputMap';
import { TimeByCategory } from './views/TimeByCategory';

export interface ViewTab {
  id: string;
  label: string;
  View?: ComponentType; // none: the table has the whole height
  Tools?: ComponentType; // at the right end of the tabs
  applies?: () => boolean; // absent: always
  explore?: boolean; // in the Explore menu instead of a tab of its own
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
  {
    id: 'categories',
    label: 'Time by category',
    View: TimeByCategory,
    explore: true,
    applies: () => (opened.value?.kinds.length ?? 0) > 1 && viewState.value.level !== 'program',
  },
  { id: 'steps', label: 'Steps and time', View: Steps, explore: true },
  { id: 'precision', label: 'Precision', View: Precision, explore: true },
  { id: 'parity', label: 'Parity', View: Parity, applies: parityApplies, explore: true },
  { id: 'machines', label: 'Machines', View: Machines, explore: true },
  { id: 'machine-formats', label: 'Machines by format', View: MachineFormats, explore: true },
  { id: 'heatmap', label: 'Heat map', View: HeatMap, explore: true },
  { id: 'split', label: 'Split charts', View: SplitCharts, explore: true },
  { id: 'distribution', label: 'Distribution', View: Distribution, explore: true },
  { id: 'layers', label: 'Layers', View: Layers, applies: model, explore: true },
  { id: 'throughput', label: 'Batch and context', View: ThroughputMap, applies: model, explore: true },
  { id: 'model-machines', label: 'Machines for the model', View: ModelMachines, applies: model, explore: true },
];

/** The views that the data has something for. */
export const viewTabs = () => VIEWS.filter(({ applies }) => applies?.() ?? true);

/** The one shown: the roofline where the chosen one does not apply. */
export function shownView(): ViewTab {
  const tabs = viewTabs();
  return tabs.find(({ id }) => id === viewState.value.tab) ?? tabs[0]!;
}

/** Shows a view. */
export const showView = (id: string) => changeView({ tab: id === 'roofline' ? undefined : id });
