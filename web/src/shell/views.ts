// The tabs and their views. To add a view, add its file and a line here.
import type { ComponentType } from 'preact';
import { RooflineChart } from '../roofline/RooflineChart';
import { opened, scopedOp } from '../sources/opened';
import { late } from '../widgets/late';
import { modelAnswer, modelRequest } from '../model/model';
import { operator } from '../operator/operator';
import { changeView, viewState } from '../core/view';
import { hasDimensions, network } from '../network/network';
import { parityApplies } from '../charts/parity_applies';

export interface View {
  id: string; // `tab` of a link
  label: string;
  View?: ComponentType; // none: the table has the whole height
  applies?: () => boolean; // absent: always
}

/** A question and the views that answer it. */
export interface Tab {
  label: string;
  question: string;
  views: View[];
  folded?: true; // it has tables of its own: that of the operations begins folded
  steady?: true; // its headline always has room for three lines, because typing below it changes the headline
  tiles?: () => boolean; // whether it shows the totals of the operations; absent: always
}

const model = () => modelRequest.value !== null;
const isOperator = () => operator.value !== null;
const single = (
  label: string,
  question: string,
  view: Omit<View, 'label'>,
  look: Pick<Tab, 'folded' | 'steady' | 'tiles'> = {},
): Tab => ({ label, question, views: [{ label, ...view }], ...look });

const TABS: Tab[] = [
  {
    label: 'Summary',
    question: 'What limits it, what to do?',
    views: [
      { id: 'roofline', label: 'Roofline', View: RooflineChart },
      { id: 'modules', label: 'By module', View: late('Modules'), applies: () => network.value !== null },
      { id: 'inference', label: 'Inference', View: late('Inference'), applies: model },
    ],
  },
  {
    label: 'Formats',
    question: 'Which precision, at what cost in accuracy?',
    folded: true,
    steady: true,
    views: [
      { id: 'formats', label: 'Speed', View: late('FormatsOnRoofline'), applies: isOperator },
      { id: 'precision', label: 'Accuracy', View: late('Precision') },
      { id: 'mixtures', label: 'GGUF mixtures', View: late('Mixtures'), applies: model },
      { id: 'network-plan', label: 'Plan', View: late('NetworkPlan'), applies: () => network.value !== null },
    ],
  },
  {
    label: 'Machines',
    question: 'Where would it run best?',
    folded: true,
    // None if its rows are for one operation, or for more machines than are set.
    tiles: () =>
      (isOperator() || scopedOp() === null) &&
      modelAnswer.value?.fits !== false &&
      modelAnswer.value?.memory.verdict !== 'tight',
    views: [
      { id: 'machines', label: 'Speed', View: late('Machines') },
      { id: 'machine-roofs', label: 'Roofs', View: late('MachineRoofs'), applies: () => !model() },
      { id: 'machine-formats', label: 'By format', View: late('MachineFormats') },
    ],
  },
  {
    label: 'Scaling',
    question: 'How does it grow with batch, size, context?',
    folded: true,
    views: [
      { id: 'sweep', label: 'Sweep', View: late('Sweep'), applies: isOperator },
      { id: 'network-sweep', label: 'Sweep', View: late('NetworkSweep'), applies: () => hasDimensions.value },
      { id: 'model-sweep', label: 'Sweep', View: late('ModelSweep'), applies: model },
      { id: 'throughput', label: 'Batch and context', View: late('ThroughputMap'), applies: model },
    ],
  },
  single(
    'Serving',
    'How many users, how fast, on how many?',
    { id: 'serving', View: late('Serving'), applies: model },
    { folded: true, steady: true, tiles: () => false },
  ),
  {
    label: 'Timeline',
    question: 'When?',
    views: [
      { id: 'steps', label: 'Over time', View: late('Steps'), applies: () => !isOperator() },
      {
        id: 'categories',
        label: 'By category',
        View: late('TimeByCategory'),
        applies: () => !isOperator() && (opened.value?.kinds.length ?? 0) > 1 && viewState.value.level !== 'program',
      },
      {
        id: 'activations',
        label: 'Activation memory',
        View: late('ActivationMemory'),
        applies: () => network.value !== null,
      },
    ],
  },
  single(
    'Compare',
    'What changed?',
    { id: 'compare', View: late('Compare'), applies: () => Boolean(opened.value?.before) },
    { folded: true },
  ),
];

const MORE: Tab[] = [
  single('Bars', 'Which operations take longest, and how much of it is above the bound?', {
    id: 'bars',
    View: late('Bars'),
  }),
  single(
    'Predicted vs measured',
    'How far is the estimate from what was measured?',
    { id: 'parity', View: late('Parity'), applies: parityApplies },
    { folded: true },
  ),
  single('Heat map', 'Where is the time, by two columns of the input?', { id: 'heatmap', View: late('HeatMap') }),
  single('Small multiples', 'How do types, steps or formats differ?', { id: 'split', View: late('SplitCharts') }),
  single('Distribution', 'How is a figure spread over the operations?', {
    id: 'distribution',
    View: late('Distribution'),
  }),
  single(
    'Layers',
    'What does each layer cost, by which formula?',
    { id: 'layers', View: late('Layers'), applies: model },
    { folded: true },
  ),
  single('Table only', 'Every operation in a row', { id: 'table' }),
];

/** Views of older links that are part of another. */
const RENAMED: Record<string, string> = { 'model-machines': 'machines' };

const MOST_TABS = 5;

/** The tabs shown and those under More, without tabs that have no view for the source. */
export function tabs(): { shown: Tab[]; more: Tab[] } {
  const [main, rest] = [TABS, MORE].map(list =>
    list
      .map(tab => ({ ...tab, views: tab.views.filter(({ applies }) => applies?.() ?? true) }))
      .filter(({ views }) => views.length > 0),
  ) as [Tab[], Tab[]];
  return { shown: main.slice(0, MOST_TABS), more: [...main.slice(MOST_TABS), ...rest] };
}

/** The shown tab and view; the first ones if the chosen view does not apply. */
export function shownView(): { tab: Tab; view: View } {
  const { shown, more } = tabs();
  const all = [...shown, ...more].flatMap(tab => tab.views.map(view => ({ tab, view })));
  const { tab: id = '' } = viewState.value;
  return all.find(({ view }) => view.id === (RENAMED[id] ?? id)) ?? all[0]!;
}

/** Shows a view. */
export const showView = (id: string) => changeView({ tab: id === 'roofline' ? undefined : id });

/** Shows a tab: the first of its views. */
export const showTab = ({ views }: Tab) => showView(views[0]!.id);

/** Every view as the command palette lists it. */
export function viewCommands() {
  const { shown, more } = tabs();
  return [...shown, ...more].flatMap((tab, at) =>
    tab.views.map((view, i) => ({
      title: tab.views.length > 1 ? `${tab.label}: ${view.label}` : tab.label,
      ...(i === 0 && at < 9 && { hint: `key ${at + 1}` }),
      group: 'View',
      words: `${view.id} ${view.label} ${tab.question}`,
      run: () => showView(view.id),
    })),
  );
}
