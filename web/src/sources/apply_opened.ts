// Updates notices, settings, view and selection for a new workload.
import { batch, signal } from '@preact/signals';
import type { OpenReport, Opened } from '../worker/messages';
import { opening } from '../core/computing';
import { core } from '../core/core';
import { panelFrame, refresh, timesOnly } from '../core/engine';
import { chooseMachine, replaceSettings, settings, startingSettings, type Settings } from '../core/settings';
import { firstOp } from '../inspector/first_op';
import { selectQuietly } from '../core/sheet';
import { sourcesOpened, resetView, selected, defaultSort, viewState } from '../core/view';
import { sameKind, type Source } from '../share/link';
import { awaited, setAside } from './awaited';
import { hintFor } from './hints';
import { takenAsWhatIf } from './machine_file';
import { faults, joinedWith, notice, opened, ranModel, refusedTable, reopenRuns, resizing, source } from './opened';

export interface ApplyOptions {
  source?: Source;
  keepView?: boolean; // a link's view, or the same file read again
  shown?: boolean; // already on the screen, where the user may have acted on it
  keeps?: 'machine' | 'settings' | undefined; // what applies to this source too: the chosen machine, or all settings in force
  keepSelected?: boolean; // the operation of the same name stays selected
  applied?: Pick<OpenReport, 'machine' | 'config'>; // take effect together with the source
  onSourceSet?: (() => void) | undefined; // called in the batch that sets the source
}

let openingsCounted = 0;

/** Registers an opening. The returned function says whether it is still the newest, so that a slowly fetched sample does not replace a later source. */
export function registerOpening() {
  const mine = ++openingsCounted;
  return () => mine === openingsCounted;
}

/** Clears the notices of earlier files. */
export function clearNotices() {
  faults.value = [];
  notice.value = '';
  joinedWith.value = null;
  refusedTable.value = null;
  takenAsWhatIf.value = null;
}

/** Applies the machine and the settings among the opened files. */
export function applySettings({ machine, config }: Pick<OpenReport, 'machine' | 'config'>) {
  if (machine) chooseMachine(JSON.parse(machine) as object);
  if (config) replaceSettings(JSON.parse(config) as Settings);
}

/** True while a new source selects its first operation: the inspector keeps its place, so the chart is not resized twice. */
export const settling = signal(false);

/** Updates view and selection for the new workload. */
export async function applyOpened(
  now: Opened,
  {
    source: from = { file: now.source },
    keepView = false,
    shown = false,
    keeps,
    keepSelected = keepView && from === source.peek() && !('built' in from),
    applied = {},
    onSourceSet,
  }: ApplyOptions,
) {
  const isNew = !sameKind(from, source.peek());
  const name = keepSelected ? selectedName() : null;
  const unmatched = !keepSelected && 'file' in from ? awaited.value : null; // the link that asked for other files
  if (!keepSelected) {
    awaited.value = null;
    setAside.value = unmatched ?? ('file' in from ? setAside.value : null);
  }
  batch(() => {
    settling.value = true;
    if (!keepSelected) resizing.value = null;
    applySettings(applied);
    // The file's own device wins over the machine chosen for another file. Two compared runs use one machine.
    const another = !keepView && !shown && !reopenRuns.peek();
    if (unmatched && !keeps) replaceSettings({});
    const guessed = another && !keeps ? now.guessed_machine : null;
    const { machine, machine_basis } = settings.value;
    if (another && keeps === 'machine') replaceSettings(startingSettings(machine, machine_basis));
    else if (another && !keeps) replaceSettings(guessed ? startingSettings(guessed, 'guessed') : startingSettings());
    opened.value = now;
    source.value = from;
    ranModel.value = null;
    if (!keepView && !shown) {
      ++sourcesOpened.value;
      if (unmatched) viewState.value = {};
      resetView();
      selected.value = null;
    }
    onSourceSet?.();
  });
  const showFrames = async () => {
    await refresh();
    if (updateDefaultSort()) await refresh();
    if (selected.value === null) {
      const json = panelFrame.value?.json;
      selectQuietly(json ? firstOp(json) : null);
      await refresh();
    }
  };
  try {
    if (name !== null) await selectNamed(name);
    await (isNew ? opening.follow(showFrames()) : showFrames());
  } finally {
    settling.value = false;
  }
  const summary = panelFrame.value?.json.all;
  notice.value ||= summary ? hintFor(now, summary) : '';
}

/** Sets the table's default order from the source's frame; returns whether it changed. */
function updateDefaultSort() {
  const before = defaultSort.value;
  defaultSort.value = timesOnly.value ? 'time' : 'lost';
  return defaultSort.value !== before;
}

/** Selects the operation of the same name after a file changed, at whatever index it is now. */
async function selectNamed(name: string) {
  if (viewState.value.grouped) return;
  const index = await core().indexOf(name);
  selected.value = index >= 0 ? index : null;
}

const selectedName = () =>
  panelFrame.value?.json.table.rows.find(({ index }) => index === selected.value)?.name ?? null;
