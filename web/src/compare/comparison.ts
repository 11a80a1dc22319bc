// A second run: what was open stays as the run before, and the chart shows where each operation went.
import { effect, signal } from '@preact/signals';
import { ask } from '../core/ask';
import { core } from '../core/core';
import { panelFrame } from '../core/engine';
import { before, endedComparison, notice, openAgain, opened, openFiles, openSample, source } from '../sources/files';
import type { InputFile } from '../worker/messages';
import { sameKind } from '../shell/history';
import type { Source } from '../share/link';
import { changeView, viewState } from '../core/view';

/** Where operations were and are: FLOP/B and FLOP/s, and the later run's index. */
export interface Arrows {
  b: Float32Array;
  intensity_a: Float32Array;
  attained_a: Float32Array;
  intensity_b: Float32Array;
  attained_b: Float32Array;
}
export const arrows = signal<Arrows | null>(null);

const MOST_ARROWS = 300;

let keeping = false; // the next that opens is the run after

/** What is open becomes the run before, what `open` opens the run after. `show`: the comparison comes to the front. */
async function keepAnd(open: () => Promise<unknown>, show = true) {
  const from = source.value;
  keeping = true;
  try {
    await core().keep(true);
    await open();
    await core().keep(false); // where nothing was opened
  } finally {
    keeping = false;
  }
  if (!opened.value?.before) return;
  before.value = from;
  if (show) changeView({ tab: 'compare' });
}

/** Opens files as the run after the one that is open. */
export function compareWith(files: Iterable<File>) {
  const chosen = Array.from(files, file => ({ name: file.name, blob: file })); // now: an emptied input empties its list
  return keepAnd(() => openFiles(chosen));
}

/** Opens whatever the files hold; two runs among them are compared, in their order, which is then true. */
export async function openAll(files: InputFile[]): Promise<boolean> {
  const second = await openFiles(files);
  if (second) await keepAnd(() => openFiles([second]));
  return second !== undefined;
}

/** Opens a sample as the run after the one that is open. */
export const compareWithSample = (id: string) => keepAnd(() => openSample(id));

/** The open run itself: to be changed, or to be looked at on two machines. */
export const compareWithItself = () => keepAnd(() => openAgain(source.value!));

/** A link's comparison: the run before is opened first, as far as a link can. */
export async function restoreComparison(from: Source, open: () => Promise<unknown>) {
  if (await openAgain(from)) return keepAnd(open, false);
  await open();
  notice.value = endedComparison(from);
}

/** Leaves the later run open on its own. */
export async function endComparison() {
  await core().forget();
  before.value = null;
  changeView({ beforeMachine: undefined, compareSort: undefined, compareAscending: undefined, unchanged: undefined });
  if (opened.value)
    opened.value = { ...opened.value, before: null, kinds: opened.value.kinds.filter(({ ops }) => ops > 0) };
}

/** From now on the arrows keep up with what is open, with the settings and with the filters; opening something else ends the comparison. */
export function followComparison() {
  let last = source.peek();
  source.subscribe(now => {
    if (now !== last && !keeping && opened.peek()?.before && !sameKind(last, now)) void endComparison();
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
