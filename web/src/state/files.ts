// Opening: samples, files, drops, pasted text, links, `roofline serve`. What was open stays until something new is read.
import { batch, computed, signal } from '@preact/signals';
import { proxy } from 'comlink';
import type { InputFile, FileFault, OpenReport, Opened, Progress } from '../worker/messages';
import { core, CoreStopped, sampleText } from './core';
import { panelFrame, refresh } from './engine';
import { hintFor } from './hints';
import type { Built, LinkState, Source } from './link';
import { openTensors } from './precision';
import { FIRST_REQUEST } from './model_request';
import { reportFiles } from './report';
import { chooseMachine, replaceSettings, settings, settingsText, type Settings } from './settings';
import { resetView, selected, viewState } from './view';

export interface Sample {
  id: string;
  file: string;
  title: string;
  line: string; // what it is, at a glance
  text: string; // the same with its source
}

export const samples = signal<Sample[]>([]);
export const opened = signal<Opened | null>(null);
export const source = signal<Source | null>(null); // the same object as long as the same file is open, however often it is read
export const before = signal<Source | null>(null); // of the run that the open one is compared with, while it is
export const sha256 = signal<string | null>(null); // of the open file, for links; null: not (yet) known
export const registries = signal<string[]>([]);
export const progress = signal<Progress | null>(null);
export const faults = signal<FileFault[]>([]);
export const notice = signal('');

/** A link to a private file: its view, and the file that the page waits for. */
export interface Awaited {
  file: string;
  sha256?: string;
  state: LinkState;
}
export const awaited = signal<Awaited | null>(null);

const filesOf = new WeakMap<Source, InputFile[]>(); // what a source was read from, for as long as anything refers to it
const registryFiles = new Map<string, InputFile>();

/** What a source was read from, where this visit or this report has it; else null. */
export const knownFiles = (from: Source): InputFile[] | null =>
  'file' in from && 'text' in from
    ? [{ name: from.file, blob: new Blob([from.text]) }]
    : (filesOf.get(from) ?? reportFiles(from));

/** The same with the registries that were in force, for another page to read it. */
export function filesToRead(from: Source): InputFile[] | null {
  const files = 'file' in from && !('text' in from) ? knownFiles(from) : null;
  return files && [...new Map([...registryFiles, ...files.map(file => [file.name, file] as const)]).values()];
}

/** The registries that are in force. */
export const openedRegistries = () => [...registryFiles.values()];

/** The files that the open source was read from. */
export const openedFiles = () => (source.value && knownFiles(source.value)) ?? [];

/** The table that was refused last, because nothing tells what its columns are. */
export const refusedTable = signal<InputFile | null>(null);

/** The first that has columns, and is no JSON, whose members have names of their own. */
async function tableAmong(files: InputFile[]) {
  for (const file of files)
    if (!/^\s*[[{]/.test(await file.blob.slice(0, 64).text()) && !(await core().columns(file)).error) return file;
  return null;
}

/** A file that was joined with what was open, and what that was. */
export const joinedWith = signal<{ file: InputFile; to: string } | null>(null);

/** The file that was joined, on its own. */
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
  void openFiles(files, { source: { file: opened.value!.source, as: { model } }, keepMachine: true });
}

/** Opens a source again as it was, as far as this visit can; its view is the caller's. False where only its owner has the file. */
export async function openAgain(from: Source): Promise<boolean> {
  const files = knownFiles(from);
  if (files) await openFiles(files, { source: from, keepView: true });
  else if ('built' in from) await openBuilt(from, true);
  else if ('sample' in from) await openSample(from.sample, true);
  else return false;
  return true;
}

export const sample = computed(() => {
  const from = source.value;
  return from && 'sample' in from ? samples.value.find(({ id }) => id === from.sample) : undefined;
});

/** Fetches the list of samples. */
export async function loadSamples() {
  samples.value = JSON.parse(await sampleText('index.json')) as Sample[];
}

/** Opens a sample by its id. */
export async function openSample(id: string, keepView = false, keepMachine = keepView) {
  const chosen = samples.value.find(item => item.id === id) ?? samples.value[0];
  if (!chosen) return;
  try {
    const blob = new Blob([await sampleText(chosen.file)]);
    await openFiles([{ name: chosen.file, blob }], { source: { sample: chosen.id }, keepView, keepMachine });
  } catch (error) {
    complain(chosen.file, error);
  }
}

export interface OpenOptions {
  source?: Source;
  keepView?: boolean; // a link's view, or the same file read again
  shown?: boolean; // it is on the screen already, and may have been acted on
  keepMachine?: boolean; // the one chosen is meant for this, too
}

/**
 * Opens whatever the files hold: operations, a registry, settings, a machine, tensors or a model. A second file of operations is handed
 * back: it is another run.
 */
export async function openFiles(files: InputFile[], options: OpenOptions = {}): Promise<InputFile | undefined> {
  faults.value = [];
  notice.value = '';
  joinedWith.value = null;
  const waits = awaited.value && files.some(({ name }) => name === awaited.value!.file); // its choices are of no other file
  const asked = options.source ?? (waits ? awaited.value!.state.source : undefined);
  const as = asked && 'file' in asked ? asked.as : undefined;
  progress.value = { stage: 'reading', done: 0, total: files.reduce((sum, { blob }) => sum + blob.size, 0) };
  let report: OpenReport;
  try {
    report = await core().open(
      settingsText.peek(),
      files,
      { ...as, ...(options.source && { alone: true }) }, // what is opened again is joined with its own second file alone
      proxy((now: Progress) => void (progress.value &&= now)),
    );
  } catch (error) {
    const advice =
      error instanceof CoreStopped ? '. A file too large for a page is one for the command: roofline analyze' : '';
    complain(files[0]?.name ?? '', new Error(`${messageOf(error)}${advice}`));
    return undefined;
  } finally {
    progress.value = null;
  }
  faults.value = report.faults;
  refusedTable.value = await tableAmong(files.filter(({ name }) => report.faults.some(({ file }) => file === name)));
  for (const { file } of report.registries) registryFiles.set(file, files.find(({ name }) => name === file)!);
  for (const { file } of report.registries)
    registries.value = [...registries.value.filter(known => known !== file), file];
  if (report.registries.length)
    notice.value = report.registries.map(({ file, ops }) => `${file} defines ${ops.join(', ')}.`).join(' ');
  if (report.machine) chooseMachine(JSON.parse(report.machine) as object);
  if (report.config) replaceSettings(JSON.parse(report.config) as Settings);
  if (report.tensors) openTensors(report.tensors);
  if (report.model) await openConfig(report.model);
  if (!report.opened) return undefined;
  if (report.reread) {
    await settle(report.opened, { source: source.value!, keepView: true });
    return undefined;
  }
  const first = report.joinedWithOpen && source.value;
  if (first) joinedWith.value = { file: files[0]!, to: opened.value?.source ?? '' };
  lastFile = {
    files: first ? [...(filesOf.get(first) ?? []), ...files] : files,
    source: options.source ?? { file: report.opened.source, ...(as && { as }) },
  };
  filesOf.set(lastFile.source, lastFile.files);
  const keepMachine = options.keepMachine || report.machine !== undefined || report.config !== undefined;
  await settle(report.opened, { ...options, source: lastFile.source, keepMachine });
  return report.second;
}

/** The new workload is in place: what is looked at follows. */
async function settle(
  now: Opened,
  { source: from = { file: now.source }, keepView = false, shown = false, keepMachine = false }: OpenOptions,
) {
  const link = 'file' in from ? await takeAwaited() : null;
  if (link?.before) notice.value = endedComparison(link.before);
  const name = keepView && !('built' in from) ? selectedName() : null;
  batch(() => {
    // The file's own device wins, and what was chosen for another is not imposed. Two runs that are compared are on one machine.
    if (!keepView && !shown && !keepMachine && !link && now.before === null) chooseMachine(undefined);
    opened.value = now;
    source.value = from;
    sha256.value = null;
    ranModel.value = null;
    if (link) {
      viewState.value = link.view ?? {};
      selected.value = link.selected ?? null;
    } else if (!keepView && !shown) {
      resetView();
      selected.value = null;
    }
  });
  if (name !== null) await selectNamed(name);
  await refresh();
  if (selected.value === null) selectFirst();
  const summary = panelFrame.value?.json.all;
  notice.value ||= summary ? hintFor(now, summary) : '';
  void fingerprint();
}

/** What is said where a link's run before cannot be opened again. */
export const endedComparison = (from: Source) =>
  `The comparison with ${'file' in from ? from.file : 'another run'} has ended${'file' in from ? ': that file stayed with its owner' : ''}. "Compare with…" opens it again.`;

/** The op that heads the table: by default the one that loses most time. */
export function selectFirst() {
  selected.value = panelFrame.value?.json.table.rows[0]?.index ?? null;
}

/** Where a file changed, the op of the same name stays selected though its index may not be the same. */
async function selectNamed(name: string) {
  if (viewState.value.grouped) return;
  const index = await core().indexOf(name);
  selected.value = index >= 0 ? index : null;
}

const selectedName = () =>
  panelFrame.value?.json.table.rows.find(({ index }) => index === selected.value)?.name ?? null;

/** What is assumed of operations that name no format was another when the open file was read: it is read again. */
export function followAssumption() {
  let last = settings.peek().assumed_format;
  settings.subscribe(({ assumed_format: now }) => {
    if (now === last) return;
    last = now;
    const from = source.peek();
    if (from && !('built' in from) && !progress.peek()) void openAgain(from);
  });
}

const FINGERPRINT_BYTES = 64e6; // beyond, only when a link is asked for

/** Works out the SHA-256 of the open file, by which a link knows it, unless it is larger than the limit. */
export async function fingerprint(limit = FINGERPRINT_BYTES) {
  const from = source.value;
  if (!from || !('file' in from) || 'text' in from || opened.value?.joined || (opened.value?.size ?? 0) > limit) return;
  const digest = await core().sha256();
  if (source.value === from) sha256.value = digest;
}

/** The waiting link's state, if what was opened just now is the file it asks for. */
async function takeAwaited(): Promise<LinkState | null> {
  const asked = awaited.value;
  if (!asked || !opened.value) return null;
  awaited.value = null;
  const digest = asked.sha256 ? await core().sha256() : null;
  if (digest !== null && digest !== asked.sha256) {
    notice.value = `This is not the ${asked.file} that the link was made with: its content differs.`;
    return null;
  }
  return asked.state;
}

/** Drops the registries that were opened, and reads what is open again without them. */
export async function forgetRegistries() {
  await core().clearRegistry();
  registries.value = [];
  const blob = await core().sourceBlob();
  if (blob) await openFiles([{ name: opened.value?.source ?? '', blob }], { source: source.value!, keepView: true });
}

let lastFile: { files: InputFile[]; source: Source } | null = null; // to come back to from another source

/** Opens the last file again, else the first sample. */
export const openSourceFile = () =>
  lastFile ? openFiles(lastFile.files, { source: lastFile.source, keepMachine: true }) : openSample('');

/** A language model's config.json: what ran in the open trace, where that is asked; else run as the model before it was. */
async function openConfig({ file, text }: { file: string; text: string }) {
  const before = source.peek();
  const request = before && 'built' in before && before.built === 'model' ? before.request : FIRST_REQUEST;
  const name = file.replace(/\.json$/i, '');
  const config = JSON.parse(text) as object;
  const model = name === 'config' || name === 'pasted text' ? config : { _name_or_path: name, ...config };
  if (opened.value?.asks_for_model) ranModel.value = { name: file, model };
  else await openBuilt({ built: 'model', request: { ...request, model } });
}

let building: Built | null = null; // what to build next
let builder: Promise<void> | null = null;

/** Opens what the core makes itself, or makes it again as its request changes: one at a time, and the newest wins. */
export function openBuilt(from: Built, keepView = false): Promise<void> {
  building = from;
  builder ??= build(keepView).finally(() => (builder = null));
  return builder;
}

async function build(keepView: boolean) {
  while (building) {
    const from = building;
    building = null;
    const { error, opened: now } = await core().build(settingsText.peek(), from.built, from.request);
    faults.value = error ? [{ file: '', fault: error }] : [];
    const before = source.value;
    const same = before !== null && 'built' in before && before.built === from.built;
    if (now) await settle(now, { source: from, keepView: keepView || same, keepMachine: true });
  }
}

/** Opens pasted text. */
export const openText = (text: string) => openFiles([{ name: 'pasted text', blob: new Blob([text]) }]);

/** Stops what is being read; what was open stays. */
export const cancelOpening = () => void core().cancel();

/** Shows an error. */
export function complain(file: string, error: unknown) {
  faults.value = [{ file, fault: { message: messageOf(error), line: 0, column: 0, path: '' } }];
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
