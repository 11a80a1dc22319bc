// Where the page's state comes from at the start and where it is kept: in the link. The bare address opens a sample and defaults.
import { effect } from '@preact/signals';
import { loadCatalogue } from './catalogue';
import { awaited, before, complain, loadSamples, openBuilt, openFiles, opened, openSample, sha256, source } from './files';
import { startCore } from './core';
import { followComparison, restoreComparison } from './compare';
import { follow } from './engine';
import { decodeLink, encodeLink, type LinkState, type Source } from './link';
import { findServed, openServed, type Served } from './live';
import { ready, showPicture } from './picture';
import { replaceSettings, settings } from './settings';
import { selected, viewState } from './view';

const WRITE_MS = 300;  // browsers limit how often the address may change

export async function startSession() {
  const state = decodeLink(location.hash) ?? {};
  replaceSettings(state.settings ?? {});
  const started = startCore();
  started.catch(() => {});  // awaited below, once the picture is shown
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
  ready.value = true;
  follow();
  followComparison();
  remember();
  addEventListener('hashchange', () => {
    const next = decodeLink(location.hash);
    if (!next || location.hash.slice(1) === written) return;
    replaceSettings(next.settings ?? {});
    void restore(next);
  });
}

/// `served`: at the start, what `roofline serve` has open.
async function restore(state: LinkState, served: Served | null = null) {
  const from = state.source;
  const show = () => {
    viewState.value = state.view ?? {};
    selected.value = state.selected ?? null;
  };
  if (from && 'file' in from && !('text' in from)) {
    awaited.value = { ...from, state };
    if (served) return openServed(served);
    return ready.value ? undefined : openSample('');
  }
  if (!from && served) return openServed(served);
  if (from) show();
  const open = () => {
    if (from) show();
    if (from && 'built' in from) return openBuilt(from, true);
    if (from && 'text' in from) return openFiles([{ name: from.file, blob: new Blob([from.text]) }], { source: from, keepView: true });
    return openSample(from?.sample ?? '', from !== undefined, true);
  };
  return state.before ? restoreComparison(state.before, open) : open();
}

/// The link to what is shown, or with the input itself as its source.
export function currentLink(from: Source | null = source.value): string {
  const named = from && 'file' in from && !('text' in from) && sha256.value ? { ...from, sha256: sha256.value } : from;
  return encodeLink({
    ...(named && { source: named }), ...(opened.value?.before && before.value && { before: before.value }), settings: settings.value, view: viewState.value,
    ...(selected.value !== null && { selected: selected.value }),
  });
}

let written = '';

/// Keeps the address up to date.
function remember() {
  let timer = 0;
  effect(() => {
    const link = currentLink();
    clearTimeout(timer);
    if (awaited.value) return;  // a link that waits for its file stays as it was opened
    timer = window.setTimeout(() => {
      if (link === written) return;
      written = link;
      history.replaceState(null, '', `#${link}`);
    }, WRITE_MS);
  });
}
