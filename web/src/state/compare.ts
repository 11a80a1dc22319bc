// A second run: what was open stays as the run before, and the chart shows where each operation went.
import { effect, signal } from '@preact/signals';
import { ask } from './ask';
import { core } from './core';
import { frame } from './engine';
import { opened } from './files';
import { openList } from './input';

/// Where operations were and are: FLOP/B and FLOP/s, and the later run's index.
export interface Arrows { b: Float32Array; intensity_a: Float32Array; attained_a: Float32Array; intensity_b: Float32Array; attained_b: Float32Array }
export const arrows = signal<Arrows | null>(null);

const MOST_ARROWS = 300;

/// Opens files as the run after the one that is open.
export async function compareWith(files: Iterable<File>) {
  const chosen = Array.from(files);  // now: an emptied input empties its list
  await core().keep(true);
  await openList(chosen);
  await core().keep(false);  // where nothing was opened
}

export async function endComparison() {
  await core().forget();
  if (opened.value) opened.value = { ...opened.value, before: null };
}

/// From now on the arrows keep up with what is open and with the settings.
export function followComparison() {
  let asked = 0;
  effect(() => {
    const revision = frame.value?.revision;
    if (!opened.value?.before || !revision) {
      if (arrows.peek()) arrows.value = null;
      return;
    }
    const turn = ++asked;
    void ask('compare', { rows: 0, arrows: MOST_ARROWS }).then(reply => {
      if (turn === asked && opened.peek()?.before) arrows.value = 'json' in reply ? (reply.columns as unknown as Arrows) : null;
    });
  });
}
