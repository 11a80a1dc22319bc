// Opens samples, files, drops, pasted text, links and what `roofline serve` has. The old source stays until the new one is read.
import { batch, signal } from '@preact/signals';
import { proxy } from 'comlink';
import type { NetworkChoices } from '../../../wasm/session';
import type { InputFile, OpenReport, Opened, Progress } from '../worker/messages';
import { opening } from '../core/computing';
import { core, CoreStopped, sampleText } from '../core/core';
import { panelFrame, refresh, timesOnly, type Machine } from '../core/engine';
import {
  chooseMachine,
  replaceSettings,
  settings,
  settingsText,
  startingSettings,
  type Settings,
} from '../core/settings';
import { selectQuietly } from '../core/sheet';
import { changeView, openings, resetModelView, resetView, selected, usualSort, viewState } from '../core/view';
import { isGuessed, machineName } from '../machine/machine_options';
import { chooseModelMachine, noMachineChosen } from '../model/model_machine';
import { FIRST_MACHINE, FIRST_REQUEST } from '../model/model_request';
import { openTensors } from '../precision/tensors';
import { sameKind } from '../shell/history';
import { isOwnFile, type Built, type FileRef, type Source } from '../share/link';
import { awaited, giveAwaited, setAside } from './awaited';
import { hintFor, isEmpty, noOperations } from './hints';
import { takeAsWhatIf, takenAsWhatIf } from './machine_file';
import {
  complain,
  faults,
  followed,
  messageOf,
  notice,
  opened,
  progress,
  reopenRuns,
  samples,
  source,
  type Sample,
} from './opened';
import { findKept } from './own_files';
import { filesOf, keep, knownFiles, openedFiles, registries, registryFiles } from './source_files';

/** The table that was refused last because its columns could not be mapped. */
export const refusedTable = signal<InputFile | null>(null);

/** The first file with at least two named columns; JSON has none. */
async function tableAmong(files: InputFile[]) {
  for (const file of files) {
    if (/^\s*[[{]/.test(await file.blob.slice(0, 64).text())) continue;
    const { columns = [] } = await core().columns(file);
    if (columns.filter(({ header }) => header !== '').length > 1) return file;
  }
  return null;
}

/** A file that was joined with the open one, and the name of that one. */
export const joinedWith = signal<{ file: InputFile; to: string } | null>(null);

/** Opens the joined file alone. */
export function openJoinedAlone() {
  const file = joinedWith.value?.file;
  if (file) void openFiles([file], { source: { file: file.name, as: { alone: true } } });
}

/** The language model that ran in the open trace, before it is placed: of the catalogue, or its config.json. */
export const ranModel = signal<{ name: string; model: string | object } | null>(null);

/** The trace that is open, with that model's operators beside its kernels. `context`: of each sequence, where the steps do not state it. */
export function placeModel(context?: number) {
  const files = openedFiles();
  if (!files.length || !ranModel.value) return;
  const model = { model: ranModel.value.model, ...(context && { context }) };
  void openFiles(files, { source: { file: opened.value!.source, as: { model } }, keeps: 'settings' });
}

/** Opens a source again; the caller sets the view. False if this visit does not have its file, or it cannot be read any more. */
export async function openAgain(from: Source): Promise<boolean> {
  const files = knownFiles(from);
  if (files) await openFiles(files, { source: from, keepView: true, again: true });
  else if ('built' in from) await openBuilt(from, true);
  else if ('sample' in from) return openSample(from.sample, true).then(() => true);
  return source.peek() === from;
}

/** Fetches the list of samples. */
export async function loadSamples() {
  samples.value = JSON.parse(await sampleText('index.json')) as Sample[];
}

let openingsAsked = 0; // by the user: a sample that is fetched slowly does not replace what was opened after it

/** Opens a sample by its id, unless something else is opened while it is fetched. */
export async function openSample(id: string, keepView = false, keepSettings = keepView) {
  const chosen = samples.value.find(item => item.id === id) ?? samples.value[0];
  if (!chosen) return;
  const mine = ++openingsAsked;
  try {
    const blob = new Blob([await sampleText(chosen.file)]);
    if (mine !== openingsAsked) return;
    const options = { source: { sample: chosen.id }, keepView, ...(keepSettings && { keeps: 'settings' as const }) };
    await openFiles([{ name: chosen.file, blob }], options);
  } catch (error) {
    complain(chosen.file, error);
  }
}

interface OpenOptions {
  source?: Source;
  keepView?: boolean; // a link's view, or the same file read again
  shown?: boolean; // already on the screen, where the user may have acted on it
  keeps?: 'machine' | 'settings' | undefined; // what applies to this source too: the chosen machine, or all settings in force
  again?: boolean; // reopens the files only: machine and settings are in force already
  tensor?: string; // of a tensor file: the one to show
  keepSelected?: boolean; // the operation of the same name stays selected
  applied?: Pick<OpenReport, 'machine' | 'config'>; // take effect together with the source
}

/**
 * Opens files of any kind: operations, a registry, settings, a machine, tensors or a model. Returns a second file of operations, which is
 * another run.
 */
export async function openFiles(files: InputFile[], options: OpenOptions = {}): Promise<InputFile | undefined> {
  if (!options.keepView) ++openingsAsked;
  clearNotices();
  const asking = awaited.value ?? setAside.value;
  const others = asking && !options.source ? await giveAwaited(asking, files) : files;
  if (others.length === 0) return undefined;
  files = others;
  const asked = options.source;
  const as = asked && 'file' in asked ? asked.as : undefined;
  progress.value = { stage: 'reading', done: 0, total: files.reduce((sum, { blob }) => sum + blob.size, 0) };
  let report: OpenReport;
  try {
    report = await core().open(
      settingsText.peek(),
      files,
      { ...as, ...(options.source && { alone: true }) }, // a reopened source is joined with its own second file only
      proxy((now: Progress) => void (progress.value &&= now)),
    );
  } catch (error) {
    const advice =
      error instanceof CoreStopped ? '. For a file too large for the page use the command: roofline analyze FILE' : '';
    complain(files[0]?.name ?? '', new Error(`${messageOf(error)}${advice}`));
    return undefined;
  } finally {
    progress.value = null;
  }
  const from = source.peek();
  if (report.opened && isEmpty(report.opened) && from && !asked)
    return refuseEmpty(report, files[report.from![0]!]!.name, from);
  faults.value = report.faults;
  refusedTable.value = await tableAmong(files.filter(({ name }) => report.faults.some(({ file }) => file === name)));
  for (const { file } of report.registries) registryFiles.set(file, files.find(({ name }) => name === file)!);
  for (const { file } of report.registries)
    registries.value = [...registries.value.filter(known => known !== file), file];
  if (report.registries.length)
    notice.value = report.registries.map(({ file, ops }) => `${file} defines ${ops.join(', ')}.`).join(' ');
  void keep(report.registries.map(({ file }) => registryFiles.get(file)!));
  // The machine of a new source changes together with the source, or the old one would be read again for it.
  const applied: Pick<OpenReport, 'machine' | 'config'> = options.again ? {} : report;
  if (!report.opened) {
    const machine = applied.machine ? (JSON.parse(applied.machine) as Machine) : null;
    const alone = !applied.config && !report.model;
    if (!(machine && alone && takeAsWhatIf(machine))) {
      applySettings(applied);
      if (machine) notice.value ||= `The machine is now ${machineName(machine)}.`;
    }
  }
  if (report.model && !options.again) await openConfig(report.model);
  if (report.tensors) {
    openTensors(report.tensors, options);
    void keep([report.tensors.file]);
  }
  if (!report.opened) return undefined;
  if (report.reread) {
    await settle(report.opened, { source: source.value!, keepView: true, applied });
    return undefined;
  }
  const first = report.joinedWithOpen && source.value;
  const own = report.from!.map(at => files[at]!);
  if (first) joinedWith.value = { file: own[0]!, to: opened.value?.source ?? '' };
  lastFile = {
    files: first ? [...(filesOf.get(first) ?? []), ...own] : own,
    source: options.source ?? { file: report.opened.source, ...sameChoices(first) },
    guessed: report.opened.guessed_machine !== null,
  };
  const earlier = filesOf.get(lastFile.source);
  filesOf.set(lastFile.source, lastFile.files);
  if (isOwnFile(lastFile.source)) void keep(lastFile.files, earlier);
  const keeps = report.config ? 'settings' : (options.keeps ?? (report.machine ? 'machine' : undefined));
  await settle(report.opened, { ...options, source: lastFile.source, keeps, applied });
  return report.second;
}

/** Clears the notices of earlier files. */
function clearNotices() {
  faults.value = [];
  notice.value = '';
  joinedWith.value = null;
  refusedTable.value = null;
  takenAsWhatIf.value = null;
}

/** Refuses a file without operations: reopens what it replaced, or opens the second file given with it. */
async function refuseEmpty({ opened: empty, second, faults: others }: OpenReport, file: string, from: Source) {
  const [why] = (await core().diagnostics(0, 1)).items;
  const fault = { line: 0, column: 0, path: '', ...why, message: noOperations(empty!, why?.message) };
  if (second) await openFiles([second]);
  else await (reopenRuns.peek() ?? (() => openAgain(from)))();
  faults.value = [...others, { file, fault }];
  return undefined;
}

/// The choices of the open network, which it keeps when a run of it is joined.
const sameChoices = (from: Source | null | undefined | false) =>
  from && 'file' in from && from.as?.network && { as: { network: from.as.network } };

/** Applies the machine and the settings among the opened files. */
function applySettings({ machine, config }: Pick<OpenReport, 'machine' | 'config'>) {
  if (machine) chooseMachine(JSON.parse(machine) as object);
  if (config) replaceSettings(JSON.parse(config) as Settings);
}

/** True while a new source selects its first operation: the inspector keeps its place, so the chart is not resized twice. */
export const settling = signal(false);

/** Updates view and selection for the new workload. */
async function settle(
  now: Opened,
  {
    source: from = { file: now.source },
    keepView = false,
    shown = false,
    keeps,
    keepSelected = keepView && from === source.peek() && !('built' in from),
    applied = {},
  }: OpenOptions,
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
    const inDoubt = another ? guessed : viewState.value.guessedMachine;
    if (another && !keeps) changeView({ assumedMachine: undefined });
    if (another && keeps !== 'settings')
      replaceSettings(startingSettings(keeps ? settings.value.machine : (guessed ?? undefined)));
    opened.value = now;
    source.value = from;
    ranModel.value = null;
    if (!keepView && !shown) {
      ++openings.value;
      if (unmatched) viewState.value = {};
      resetView();
      if (inDoubt) changeView({ guessedMachine: inDoubt });
      selected.value = null;
    }
  });
  const showFrames = async () => {
    await refresh();
    if (updateUsualSort()) await refresh();
    if (selected.value === null) {
      selectFirst();
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

/** The notice if a link's run before cannot be reopened. */
export const endedComparison = (from: Source) =>
  `The comparison with ${'file' in from ? from.file : 'another run'} has ended${'file' in from ? ': that file is not in the link' : ''}. Use "Compare" to open it again.`;

/** Sets the usual order of the table by the frame of the source; whether that changed it. */
function updateUsualSort() {
  const before = usualSort.value;
  usualSort.value = timesOnly.value ? 'time' : 'lost';
  return usualSort.value !== before;
}

/** Selects the first row of the table: by default the operation with the most time above its bound. */
function selectFirst() {
  selectQuietly(panelFrame.value?.json.table.rows[0]?.index ?? null);
}

/** Selects the operation of the same name after a file changed, at whatever index it is now. */
async function selectNamed(name: string) {
  if (viewState.value.grouped) return;
  const index = await core().indexOf(name);
  selected.value = index >= 0 ? index : null;
}

const selectedName = () =>
  panelFrame.value?.json.table.rows.find(({ index }) => index === selected.value)?.name ?? null;

/** Reads the open file again when the assumed format has changed since it was read. */
export function followAssumption() {
  let last = settings.peek().assumed_format;
  settings.subscribe(({ assumed_format: now }) => {
    if (now === last) return;
    last = now;
    const from = source.peek();
    if (from && !('built' in from) && !progress.peek()) void openAgain(from);
  });
}

/** Opens a file that this browser keeps. */
export async function openKept(ref: FileRef) {
  const { file } = await findKept(ref);
  if (file) await openFiles([file]);
  else complain(ref.file, 'The copy that this browser kept is missing or damaged: open the file again');
}

/** Removes the registries and reads the open file again without them. */
export async function forgetRegistries() {
  await core().clearRegistry();
  registries.value = [];
  registryFiles.clear();
  if (source.value) await openAgain(source.value);
}

/** For the way back from an operator or a model. `guessed`: words in it name a machine. */
let lastFile: { files: InputFile[]; source: Source; guessed: boolean } | null = null;

/** The last file or sample opened; null: none. */
export const lastFileSource = () => lastFile?.source ?? null;

/** Opens the last file again. A machine that the user chose stays. */
export const reopenLastFile = () =>
  lastFile &&
  openFiles(lastFile.files, {
    source: lastFile.source,
    keeps: lastFile.guessed && noMachineChosen() ? undefined : 'machine',
  });

/**
 * Opens a config.json or the model of a GGUF file: as the model that ran in the open trace, if the page asks for it, else as a model with the
 * last request, in the formats that its file states.
 */
async function openConfig({ file, text }: { file: string; text: string }) {
  const before = source.peek();
  const request = before && 'built' in before && before.built === 'model' ? before.request : FIRST_REQUEST;
  const name = file.replace(/\.json$/i, '');
  const config = JSON.parse(text) as object;
  const named = 'config' in config || name === 'config' || name === 'pasted text';
  const model = named ? config : { _name_or_path: name, ...config };
  if (opened.value?.asks_for_model) ranModel.value = { name: file, model };
  else {
    const formats = 'formats' in config ? { weights: undefined, experts: undefined } : {};
    await openBuilt({ built: 'model', request: { ...request, ...formats, model } });
  }
}

let building: [next: Built, keepView: boolean] | null = null; // the next operator or model to open
let builder: Promise<void> | null = null;

let lastModel = ''; // by its name, or its sizes

/** Opens an operator or a language model, or updates it for a new request: one at a time, the newest wins. */
export function openBuilt(from: Built, keepView = false): Promise<void> {
  ++openingsAsked;
  if (!isUpdate(from)) cancelOpening();
  building = [from, keepView];
  builder ??= build().finally(() => (builder = null));
  return builder;
}

/** Whether the open source is an operator and this is one too, or both are models. */
function isUpdate({ built }: Built) {
  const from = source.peek();
  return from !== null && 'built' in from && from.built === built;
}

async function build() {
  while (building) {
    const [from, keepView] = building;
    building = null;
    const same = isUpdate(from);
    const another = !same && !keepView;
    const assignsMachine = another && from.built === 'model' && noMachineChosen();
    const config = another
      ? JSON.stringify(startingSettings(assignsMachine ? FIRST_MACHINE : settings.peek().machine))
      : settingsText.peek();
    const only = same && !keepView ? opened.peek()!.reading : undefined;
    const built = await core().build(config, from.built, from.request, only);
    if (!built) continue; // another source was opened since: a change of the one before does not replace it
    const { error, opened: now } = built;
    if (now && !same) clearNotices();
    faults.value = error ? [{ file: '', fault: error }] : [];
    if (!now) continue;
    await batch(() => {
      if (assignsMachine) chooseModelMachine();
      else if (!same && isGuessed()) chooseMachine(undefined); // it was guessed from words in another file
      if (from.built === 'model') {
        const model = nameOfModel(from.request);
        if (!keepView && model !== lastModel) resetModelView();
        lastModel = model;
      }
      return settle(now, { source: from, keepView: !another, keeps: 'machine' });
    });
  }
}

/** An edited model keeps its name. */
function nameOfModel({ model }: { model?: unknown }) {
  const { _name_or_path: name } = Object(model) as { _name_or_path?: unknown };
  return String(typeof model === 'string' ? model : (name ?? JSON.stringify(model))).replace(/ \(changed\)$/, '');
}

/** The choices that the open network is being read with; null once the core has answered. */
export const resizing = signal<NetworkChoices | null>(null);
let resizer: Promise<void> | null = null;

/** Reads the open network with other choices, such as other lengths: one at a time, the newest wins. */
export function resizeNetwork(choices: NetworkChoices): Promise<void> {
  resizing.value = choices;
  resizer ??= resize().finally(() => (resizer = null));
  return resizer;
}

async function resize() {
  for (let choices = resizing.peek(); choices; choices = resizing.peek()) {
    const from = source.peek();
    const ofFile = from && 'file' in from ? from : null;
    const answer = ofFile && (await core().resize(settingsText.peek(), choices, opened.peek()!.reading));
    if (resizing.peek() === choices) resizing.value = null;
    if (!answer || source.peek() !== from) continue;
    const { error, opened: now } = answer;
    faults.value = error ? [{ file: ofFile.file, fault: error }] : [];
    if (!now) continue;
    notice.value = ''; // it was on other lengths
    const next: Source = { ...ofFile, as: { ...ofFile.as, network: choices } };
    if (followed.peek() === ofFile) followed.value = next;
    filesOf.set(next, filesOf.get(ofFile) ?? []);
    lastFile = { files: filesOf.get(next)!, source: next, guessed: false };
    await settle(now, { source: next, keepView: true, keepSelected: true });
  }
}

/** Opens pasted text. */
export const openText = (text: string) => openFiles([{ name: 'pasted text', blob: new Blob([text]) }]);

/** Cancels reading; the old source stays open. */
export const cancelOpening = () => void core().cancel();
