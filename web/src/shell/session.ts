// Restores the page's state from the link and keeps the link up to date. The bare address opens a sample with the defaults and offers the
// last visit.
import { batch, effect, signal } from '@preact/signals';
import { loadCatalogue } from '../core/catalogue';
import { awaited, findFiles, setAside } from '../sources/awaited';
import { openBuilt } from '../sources/built';
import { loadSamples, openAgain, openFiles, openSample, followAssumption } from '../sources/files';
import { settling } from '../sources/apply_opened';
import { before, complain, faults, opened, samples, source } from '../sources/opened';
import { knownFiles, linkedRegistries, linkedSource, linkedTensors } from '../sources/source_files';
import { commit, followHistory, type Step, historyAction } from './history';
import { startCore } from '../core/core';
import { areRunsChanging, endComparison, followComparison, restoreComparison } from '../compare/comparison';
import { ready } from '../core/computing';
import { follow } from '../core/engine';
import { decodeLink, encodeLink, isSameSource, type LinkState, type Source } from '../share/link';
import { embedded, layoutState, showLayout } from '../core/layout';
import { findServed, openServed, servedHere, type Served } from '../sources/live';
import { keepOffline } from './offline';
import { showPicture } from './first_picture';
import { reopen } from '../sources/reopen';
import { reportState } from '../share/report';
import { held } from '../core/pointer';
import { openDoors } from '../sources/first_visit';
import { followMachine } from '../network/network';
import { replaceSettings, settings } from '../core/settings';
import { selectQuietly } from '../core/sheet';
import { store, stored, visit } from '../core/storage';
import { openingWindow, selected, viewState } from '../core/view';
import { linkedZoom, showHome } from '../roofline/window';

const KEY = 'roofline.session';
const LEFT = 'roofline.left'; // the address when the page was left, and the newer link that was not written yet
const WRITE_MS = 300; // browsers limit how often the address may change
const UNREADABLE = new Error('cannot be read. It may have been cut.');

export async function startSession() {
  const addressed = addressMeant();
  const linked = decodeLink(addressed);
  const state = linked ?? reportState ?? {};
  replaceSettings(state.settings ?? {});
  showLayout(state.layout ?? {});
  const started = startCore(reopen);
  started.catch(() => {}); // awaited below, once the picture is shown
  const served = await findServed();
  const shown = served ? null : showPicture(state);
  void loadCatalogue();
  await shown;
  await started;
  if (!shown) {
    try {
      await loadSamples();
    } catch (error) {
      complain('samples/index.json', error);
    }
    await restore(state, served);
  }
  if (!linked && !served && !embedded && !reportState) {
    lastVisit.value = readLastVisit();
    if (!lastVisit.value) openDoors();
  }
  if (!linked && addressed.length > 1) complain('This link', UNREADABLE);
  ready.value = true;
  follow();
  followComparison();
  followAssumption();
  followMachine();
  if (!servedHere()) void keepOffline().catch(() => {}); // the page also works without it
  if (embedded || location.protocol === 'about:') return; // the page around it has the address and the history
  remember();
  followHistory(
    step => inTurn(() => restoreStep(step)),
    () => inTurn(openAddress),
  );
}

/// The address; after a reload, the newer link if the page was left before it was written.
function addressMeant() {
  const [from, link] = (stored(LEFT, visit) ?? '').split(' ');
  store(LEFT, '', visit);
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (!link || from !== location.hash || embedded || navigation?.type === 'navigate') return location.hash;
  history.replaceState(history.state, '', `#${link}`);
  return location.hash;
}

/// Opens a typed link, or a step of an earlier visit.
async function openAddress() {
  const next = decodeLink(location.hash);
  if (!next) {
    if (location.hash.length <= 1) return;
    complain('This link', UNREADABLE);
    return history.replaceState(history.state, '', `#${written}`);
  }
  if (location.hash.slice(1) !== written) await openLink(next);
}

/// Opens a link. If its source cannot be opened, the error is shown and everything else stays.
async function openLink(state: LinkState) {
  const earlier = currentStep();
  const layout = layoutState();
  ++arriving;
  try {
    replaceSettings(state.settings ?? {});
    showLayout(state.layout ?? {});
    if ((await restore(state)) || !earlier.source) return;
    const why = faults.peek();
    await showStep(earlier);
    selectQuietly(earlier.selected);
    showLayout(layout);
    faults.value = why;
    written = ''; // the address is that of the link
  } finally {
    --arriving;
  }
}

let arriving = 0; // links and steps that are not shown yet: until then no step is written
let asked = 0;
let latest: Promise<unknown> = Promise.resolve();

/// Opens addresses and steps one at a time, because each begins with what the one before opened. Of those that wait, only the newest is opened.
function inTurn(open: () => Promise<unknown>): Promise<void> {
  const mine = ++asked;
  ++arriving;
  const done = latest
    .then(async () => {
      if (mine === asked) await open();
    })
    .finally(() => --arriving);
  latest = done.catch(() => {});
  return done;
}

async function restoreStep(step: Step) {
  if (await showStep(step)) return;
  written = ''; // the address is opened again: its file may be kept
  await openAddress();
}

/// False if its source cannot be opened.
async function showStep(step: Step): Promise<boolean> {
  written = step.link;
  // A selection is not a step: undoing a change leaves it.
  const isOpen = step.source === source.peek() && (!step.before || step.before === before.peek());
  const sameRows = isOpen && step.view.grouped === viewState.peek().grouped;
  let restored = false;
  const restoreState = () => {
    restored = true;
    awaited.value = null;
    replaceSettings(step.settings);
    viewState.value = step.view;
    if (!sameRows) selectQuietly(step.selected);
    if (step.home) showHome(step.home);
  };
  if (step.source && !(await openRuns(step.source, step.before, restoreState))) return false;
  if (!restored) batch(restoreState);
  return true;
}

/// Opens `later` again, compared with `earlier`; null: alone. False if `later` cannot be opened; if only `earlier` cannot, a notice says so.
/// `onSourceSet`: called in the batch that sets the source; not called if `later` is already open.
async function openRuns(later: Source, earlier: Source | null, onSourceSet: () => void): Promise<boolean> {
  if (earlier && earlier !== before.peek()) {
    await restoreComparison(earlier, () => openAgain(later, onSourceSet));
    return isSameSource(source.peek(), later);
  }
  if (!earlier && before.peek()) await endComparison();
  return later === source.peek() || openAgain(later, onSourceSet);
}

/// `served`: at the start, what `roofline serve` has open. Where files of the link are missing, the page asks for them and shows no figures.
/// False if the source cannot be opened.
async function restore(state: LinkState, served: Served | null = null): Promise<boolean> {
  const { missing, damaged, registries, tensors } = await findFiles(state);
  setAside.value = null;
  if (missing.length > 0) {
    awaited.value = { missing, damaged, resume: () => openLink(state) };
    if (served) await openServed(served);
    return true;
  }
  awaited.value = null;
  if (registries.length > 0) await openFiles(registries, { keepView: true, again: true });
  if (!(await openSources(state, served))) return false;
  if (tensors) await openFiles([tensors], { keepView: true, tensor: state.tensors!.tensor ?? '' });
  return true;
}

async function openSources(state: LinkState, served: Served | null): Promise<boolean> {
  const from = state.source;
  if (!from && served) {
    await openServed(served);
    return true;
  }
  let last: Source | null = null;
  const show = () => {
    viewState.value = state.view ?? {};
    selectQuietly(state.selected ?? null);
  };
  if (from) show();
  const open = (): Promise<unknown> => {
    last = source.peek();
    if (from) show();
    if (from && 'built' in from) return openBuilt(from, true);
    if (from && knownFiles(from)) return openAgain(from);
    return openSample(from && 'sample' in from ? from.sample : '', from !== undefined, true);
  };
  await (state.before ? restoreComparison(state.before, open) : open());
  return source.peek() !== last;
}

/// The link of the last visit; null if it was the bare page.
export const lastVisit = signal<LinkState | null>(null);

function readLastVisit(): LinkState | null {
  const state = decodeLink(stored(KEY) ?? '');
  const { source: from, settings: chosen = {} } = state ?? {};
  const plain = !from || ('sample' in from && from.sample === samples.peek()[0]?.id);
  return state && !(plain && Object.keys(chosen).length === 0) ? state : null;
}

/// Restores the last visit. The page asks for a file that the browser did not keep.
export function continueLastVisit() {
  const state = lastVisit.value;
  if (!state) return;
  lastVisit.value = null;
  void openLink(state);
}

/// What a link to what is shown says; `from`: in place of the open source, such as the input itself.
export function currentState(from: Source | null = source.value, selection = selected.value): LinkState {
  const window = linkedZoom();
  const tensors = linkedTensors();
  return {
    ...(from && { source: linkedSource(from) }),
    ...(opened.value?.before && before.value && { before: linkedSource(before.value) }),
    registries: from && 'text' in from ? [] : linkedRegistries(),
    ...(tensors && { tensors }),
    settings: settings.value,
    view: { ...viewState.value, ...(window && { zoom: window }) },
    ...(selection !== null && { selected: selection }),
    layout: layoutState(),
  };
}

const currentLink = () => encodeLink(currentState());

const currentStep = (): Step => ({
  link: currentLink(),
  source: source.value,
  before: opened.value?.before ? before.value : null,
  settings: settings.value,
  view: viewState.value,
  selected: selected.value,
  home: openingWindow.value,
});

let written = '';

/// Updates the address, the undo steps and the last visit once changes pause and no drag is under way.
function remember() {
  let timer = 0;
  const write = () => {
    document.documentElement.dataset.address = 'written';
    const step = currentStep();
    if (step.link === written) return;
    if (written) lastVisit.value = null; // the user has started something else
    written = step.link;
    commit(step);
    if (!reportState) store(KEY, step.link); // a report is not the user's own visit
  };
  const wait = () => {
    clearTimeout(timer);
    document.documentElement.dataset.address = 'pending';
    timer = window.setTimeout(() => (held.peek() || areRunsChanging() || arriving > 0 ? wait() : write()), WRITE_MS);
  };
  effect(() => {
    currentLink();
    clearTimeout(timer);
    if (!awaited.value) wait(); // a link that waits for its file stays as it was opened
  });
  // Writes the pending step before the next action, so that quick actions stay separate steps. At the first pointer's press `held` is set,
  // but nothing has changed yet.
  const writeAtOnce = (event: Event) => {
    if (document.documentElement.dataset.address !== 'pending') return;
    if (settling.peek() || areRunsChanging() || arriving > 0 || awaited.peek()) return;
    if (held.peek() && !(event instanceof PointerEvent && event.isPrimary)) return;
    clearTimeout(timer);
    write();
  };
  for (const next of ['pointerdown', 'focusin']) addEventListener(next, writeAtOnce, true);
  // A control can also be changed without the focus, such as by voice.
  let control: EventTarget | null = null;
  const onChange = (event: Event) => {
    if (event.target !== control) writeAtOnce(event);
    control = event.target;
  };
  for (const type of ['input', 'change']) addEventListener(type, onChange, true);
  addEventListener('keydown', event => (event.key === 'Enter' || historyAction(event)) && writeAtOnce(event), true);
  addEventListener('pagehide', () => {
    if (arriving === 0 && !awaited.peek() && currentLink() !== written)
      store(LEFT, `${location.hash} ${currentLink()}`, visit);
  });
}
