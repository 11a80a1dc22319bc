// Undo: each committed change of settings, view or source is a step of the browser's history, so Back undoes it, after a reload too. A
// selection is not a step; one drag of a slider or typing in one field is a single step. Steps without a visible change are skipped.
import { computed, effect, signal } from '@preact/signals';
import { isSameSource, sameKind, type Source } from '../share/link';
import type { Settings } from '../core/settings';
import { titleOf } from '../sources/source_title';
import { store, stored, visit as thisVisit } from '../core/storage';
import type { LogWindow, ViewState } from '../core/view';

/** What a step restores. `link` is the same as text, for the address. */
export interface Step {
  link: string;
  source: Source | null;
  before: Source | null; // the run that it is compared with
  settings: Settings;
  view: ViewState;
  selected: number | null;
  home: LogWindow | null; // the chart's opening window, as widened by sliders
}

interface Entry {
  visit: string;
  step: number;
}

const LAST = 'roofline.steps'; // the visit and its last step, kept over a reload
const steps: Step[] = []; // those made before a reload are missing: only their links can restore them
const { visit, ...start } = continued() ?? { visit: String(Math.random()), at: 0, last: 0 };
const position = signal(start);
effect(() => store(LAST, `${visit} ${position.value.last}`, thisVisit));

/** The position that a reload continues with. Null: the tab's history belongs to an earlier visit, or there is none. */
function continued() {
  const entry = history.state as Entry | null;
  const [known, last] = (stored(LAST, thisVisit) ?? '').split(' ');
  return entry && entry.visit === known ? { visit: known, at: entry.step, last: Number(last) } : null;
}

export const canUndo = computed(() => position.value.at > 0);
export const canRedo = computed(() => position.value.at < position.value.last);

interface Action {
  text: string;
}
/** The last action, shown with an Undo button. */
export const toast = signal<Action | null>(null);

/** Undoes the last step. */
export function undo() {
  toast.value = null;
  if (canUndo.peek()) history.back();
}

/** Redoes the last undone step. */
export function redo() {
  if (canRedo.peek()) history.forward();
}

/** `undo` or `redo` for Ctrl or Cmd with Z, Shift+Z and Y; null for other keys. */
export function historyAction({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent) {
  if (!ctrlKey && !metaKey) return null;
  const letter = key.toLowerCase();
  return letter === 'y' || (letter === 'z' && shiftKey) ? redo : letter === 'z' ? undo : null;
}

// A step is being restored: its source opens, then what depends on it settles. Changes of these phases are no steps; what the user does
// ends the second.
let restoring: 'opening' | 'settling' | null = null;
let restorations = 0;
let toastBefore: Action | null = null; // at the last commit: the next action ends it
let lastChange: { keys: string; field: Element | null } | null = null;
let linkTyped = false; // the browser has already added an entry for a typed link: the next step replaces it

/** Makes a step of what has changed since the last one. */
export function commit(now: Step) {
  const { at } = position.peek();
  const previous = steps[at];
  const keys = previous && !restoring ? changedKeys(previous, now) : '';
  const field = document.activeElement?.matches('input, textarea') ? document.activeElement : null;
  const goesOn = keys === lastChange?.keys && field !== null && field === lastChange.field;
  if (keys !== '' && toast.peek() === toastBefore) toast.value = null;
  toastBefore = toast.peek();
  lastChange = { keys, field };
  if (keys === '' || goesOn) {
    steps[at] = now;
    history.replaceState({ visit, step: at }, '', `#${now.link}`);
    return;
  }
  steps.length = at + 1;
  steps.push(now);
  position.value = { at: at + 1, last: at + 1 };
  history[linkTyped ? 'replaceState' : 'pushState']({ visit, step: at + 1 }, '', `#${now.link}`);
  linkTyped = false;
  if (previous!.source !== now.source && !sameKind(previous!.source, now.source))
    toastBefore = toast.value = { text: `Opened ${titleOf(now.source)}` };
}

/** Makes Back and Forward restore steps. `restore` resolves once its source is open. A step of an earlier visit is opened by its link. */
export function followHistory(restore: (step: Step) => Promise<void>, openLink: () => Promise<void>) {
  // The session commits what was typed as another field gets the focus or Enter is pressed: the next change is a step of its own.
  const endStep = () => (lastChange = null);
  addEventListener('focusin', endStep);
  addEventListener('keydown', ({ key }) => key === 'Enter' && endStep());
  const endSettling = () => {
    if (restoring === 'settling') restoring = null;
  };
  for (const type of ['input', 'click', 'drop']) addEventListener(type, endSettling, true);
  addEventListener('popstate', ({ state }) => {
    const entry = state as Entry | null;
    linkTyped = entry === null;
    if (entry?.visit !== visit) return void openLink();
    const step = steps[entry.step];
    const from = position.peek().at;
    const [way, beyond] = [Math.sign(entry.step - from), steps[entry.step + Math.sign(entry.step - from)]];
    position.value = { ...position.peek(), at: entry.step };
    lastChange = null;
    toast.value = null;
    if (way && beyond && step && steps[from] && changedKeys(steps[from], step) === '') return history.go(way);
    restoring = 'opening';
    const mine = ++restorations;
    const setRestoring = (state: typeof restoring) => {
      if (mine === restorations) restoring = state; // else a later one goes on
    };
    void (step ? restore(step) : openLink()).finally(() => {
      setRestoring('settling');
      setTimeout(() => setRestoring(null), SETTLE_MS);
    });
  });
}

const SETTLE_MS = 600; // changes that follow from opening are written after 300 ms

/** What a source asks of the core, by name; empty: of a file. */
const requestOf = (source: Source | null): object => (source && 'built' in source ? source.request : {});

/** The keys that differ, without the selection: "view.search settings.mem_bw source source.batch". */
function changedKeys(before: Step, after: Step) {
  const differing = (section: string, a: object, b: object) =>
    [...new Set([...Object.keys(a), ...Object.keys(b)])]
      .filter(key => JSON.stringify(a[key as never]) !== JSON.stringify(b[key as never]))
      .map(key => `${section}.${key}`);
  return [
    ...(isSameSource(before.source, after.source)
      ? []
      : ['source', ...differing('source', requestOf(before.source), requestOf(after.source))]),
    ...(isSameSource(before.before, after.before) ? [] : ['before']),
    ...differing('settings', before.settings, after.settings),
    ...differing('view', before.view, after.view),
  ].join(' ');
}
