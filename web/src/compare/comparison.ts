// Compares two runs: the open one becomes the run before, and arrows on the chart show where each operation moved.
import { effect, signal } from '@preact/signals';
import type { ChangeJson, CompareJson } from '../../../wasm/session';
import { ask, askInBackground } from '../core/ask';
import { core } from '../core/core';
import { machine, panelFrame } from '../core/engine';
import { openAgain, openFiles, openSample } from '../sources/files';
import { before, notice, opened, reopenRuns, source } from '../sources/opened';
import type { InputFile } from '../worker/messages';
import { sameKind, type Source } from '../share/link';
import { chooseMachine, settings } from '../core/settings';
import { selectQuietly } from '../core/sheet';
import { changeView, selected, viewState } from '../core/view';

/** Where operations were and are: FLOP/B and FLOP/s, and the later run's index. */
export interface Arrows {
  b: Float32Array;
  intensity_a: Float32Array;
  attained_a: Float32Array;
  intensity_b: Float32Array;
  attained_b: Float32Array;
}
export const arrows = signal<Arrows | null>(null);

/** The changes that the Compare tab lists; empty while another tab is shown. */
export const listedChanges = signal<ChangeJson[]>([]);

/** The title of an operation whose name differs between the runs. */
export const titleIfRenamed = ({ name, renamed }: ChangeJson) =>
  renamed ? `${name}: renamed, matched by type and shape` : undefined;

const MOST_ARROWS = 300;

let unfinished = 0; // changes of the compared runs

/** While the compared runs change, no undo step is recorded. */
export const areRunsChanging = () => unfinished > 0;

async function asOneStep(work: () => Promise<unknown>) {
  ++unfinished;
  await work().finally(() => --unfinished);
}

/** Makes the open run the run before, and the one that `open` opens the run after. `show`: switches to the Compare tab. */
const keepAnd = (open: () => Promise<unknown>, show = true) => asOneStep(() => openAsSecond(open, show));

async function openAsSecond(open: () => Promise<unknown>, show: boolean) {
  await core().keep(true);
  const from = source.value;
  const earlier = opened.value?.before ? before.value : null;
  const [view, row] = [viewState.value, selected.value];
  let refused = false;
  reopenRuns.value = async () => {
    refused = true;
    reopenRuns.value = null;
    await core().forget();
    const again = () => openAgain(from!);
    await (earlier ? restoreComparison(earlier, again) : again());
    viewState.value = view;
    selectQuietly(row);
  };
  try {
    await open();
    await core().keep(false); // where nothing was opened
  } finally {
    reopenRuns.value = null;
  }
  if (refused || !opened.value?.before) return;
  before.value = from;
  if (!show) return;
  changeView({ tab: 'compare', beforeMachine: undefined }); // that of an earlier comparison
  await selectLargestChange();
}

async function selectLargestChange() {
  const reply = await askInBackground<CompareJson>('compare', { rows: 1, arrows: 0 });
  const largest = 'json' in reply ? reply.json.ops[0]?.b : null;
  if (largest != null && !viewState.peek().grouped) selectQuietly(largest);
}

/** Opens files as the run after the one that is open. */
export function compareWith(files: Iterable<File>) {
  const chosen = Array.from(files, file => ({ name: file.name, blob: file })); // copied now: clearing the input clears its list
  return keepAnd(() => openFiles(chosen));
}

/** The shown view may read some of the opened files itself: `intercept` returns the others. */
export const fileInterceptor: { intercept?: ((files: InputFile[]) => Promise<InputFile[]>) | undefined } = {};

/** Opens files. Compares two runs among them in their order and then returns true; also true where the shown view took all files. */
export async function openAll(files: InputFile[]): Promise<boolean> {
  const others = (await fileInterceptor.intercept?.(files)) ?? files;
  if (others.length === 0) return true;
  const second = await openFiles(others);
  if (second) await keepAnd(() => openFiles([second]));
  return second !== undefined;
}

/** Opens a sample as the run after the one that is open. */
export const compareWithSample = (id: string) => keepAnd(() => openSample(id));

/** Compares the open run with itself, to change it or to use another machine. */
export const compareWithItself = () => keepAnd(() => openAgain(source.value!));

/** The notice if a link's run before cannot be reopened. */
const comparisonEndedNotice = (from: Source) =>
  `The comparison with ${'file' in from ? from.file : 'another run'} has ended${'file' in from ? ': that file is not in the link' : ''}. Use "Compare" to open it again.`;

/** Restores a link's comparison: opens the run before first, if possible. */
export const restoreComparison = (from: Source, open: () => Promise<unknown>) =>
  asOneStep(async () => {
    if (await openAgain(from)) return keepAnd(open, false);
    await open();
    notice.value = comparisonEndedNotice(from);
  });

/** Exchanges the two runs. Each keeps its machine, but not rates typed over it. */
export const swapRuns = () => asOneStep(exchange);

async function exchange() {
  const from = before.value;
  if (!from || reopenRuns.peek()) return;
  const { beforeMachine, compareSort, compareAscending, compareBy, unchanged } = viewState.value;
  const machineAfter = settings.value.machine ?? machine.value?.id;
  await endComparison();
  await keepAnd(() => openAgain(from));
  if (!opened.value?.before) {
    notice.value = comparisonEndedNotice(from);
    return;
  }
  const hasOwn = beforeMachine !== undefined || Boolean(opened.value.stated_machine); // else both are on the same one
  if (hasOwn) chooseMachine(beforeMachine);
  changeView({
    compareSort,
    compareAscending,
    compareBy,
    unchanged,
    beforeMachine: hasOwn ? machineAfter : undefined,
  });
}

/** Leaves the later run open on its own. */
export async function endComparison() {
  await core().forget();
  before.value = null;
  changeView({
    beforeMachine: undefined,
    compareSort: undefined,
    compareAscending: undefined,
    compareBy: undefined,
    unchanged: undefined,
  });
  if (opened.value)
    opened.value = { ...opened.value, before: null, kinds: opened.value.kinds.filter(({ ops }) => ops > 0) };
}

/** Keeps the arrows up to date with source, settings and filters. Opening another source ends the comparison. */
export function followComparison() {
  let last = source.peek();
  source.subscribe(now => {
    if (now !== last && !reopenRuns.peek() && opened.peek()?.before && !sameKind(last, now)) void endComparison();
    last = now;
  });
  let asked = 0;
  effect(() => {
    const revision = panelFrame.value?.revision;
    if (!opened.value?.before || !revision) {
      if (arrows.peek()) arrows.value = null;
      return;
    }
    const turn = ++asked;
    void ask('compare', { rows: 0, arrows: MOST_ARROWS, memory: viewState.peek().memory ?? '' }).then(reply => {
      if (turn === asked && opened.peek()?.before)
        arrows.value = 'json' in reply ? (reply.columns as unknown as Arrows) : null;
    });
  });
}
