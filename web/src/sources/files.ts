// Opens samples, files, drops, pasted text, links and what `roofline serve` has. The old source stays until the new one is read.
import { batch, computed, signal } from '@preact/signals';
import { proxy } from 'comlink';
import type { NetworkChoices } from '../../../wasm/session';
import type { InputFile, FileFault, OpenReport, Opened, Progress } from '../worker/messages';
import { decoded } from '../core/assets';
import { core, CoreStopped, sampleText } from '../core/core';
import { isUnjudged, panelFrame, refresh, type Machine } from '../core/engine';
import { hintFor, noOperations } from './hints';
import { nameOf, takeAsWhatIf, takenAsWhatIf } from './machine_file';
import { embedded } from '../core/layout';
import type { Built, FileRef, LinkState, OwnFile, Source } from '../share/link';
import { digestOf, findKept, forgetFile, keepFile, keptFiles } from './own_files';
import { measured, openTensors, tensorFile } from '../precision/tensors';
import { chooseModelMachine } from '../model/model_machine';
import { FIRST_REQUEST } from '../model/model_request';
import { reportFiles } from '../share/report';
import { change, chooseMachine, replaceSettings, settings, settingsText, type Settings } from '../core/settings';
import { selectQuietly } from '../core/sheet';
import { changeView, openings, resetView, selected, usualSort, viewState } from '../core/view';

export interface Sample {
  id: string;
  file: string;
  title: string;
  line: string; // what it is, at a glance
  text: string; // the same with its source
  synthetic?: true; // made up: its times are not measured
}

export const samples = signal<Sample[]>([]);
export const opened = signal<Opened | null>(null);
export const source = signal<Source | null>(null); // the same object while the same file is open, even if it is read again
export const before = signal<Source | null>(null); // the run that the open one is compared with, if any
export const registries = signal<string[]>([]);
export const progress = signal<Progress | null>(null);
export const faults = signal<FileFault[]>([]);
export const notice = signal('');

/** A link whose files are missing: the page asks for them and continues once it has all. */
interface Awaited {
  missing: FileRef[];
  damaged: boolean; // this browser had a copy, with another content
  resume: () => Promise<unknown>;
}
export const awaited = signal<Awaited | null>(null);
/** The link that asked for its files when another file was opened. It opens once the user gives them; null: none did. */
export const setAside = signal<Awaited | null>(null);

const filesOf = new WeakMap<Source, InputFile[]>(); // the files that a source was read from
const registryFiles = new Map<string, InputFile>();

const refs = new WeakMap<Blob, FileRef>();
const refsKnown = signal(0); // counts the digests that have arrived; each updates the link

/** A file's entry in a link. */
export function refOf({ name, blob }: InputFile): FileRef {
  void refsKnown.value;
  return refs.get(blob) ?? { file: name, size: blob.size };
}

/** A source as a link has it: with the digest of each of the user's own files, once that is known. */
export function linkedSource(from: Source): Source {
  const files = 'file' in from && !('text' in from) ? filesOf.get(from)?.map(refOf) : undefined;
  if (!files?.length) return from;
  return files.length > 1 ? { ...from, files } : { ...from, ...files[0], file: (from as FileRef).file };
}

/** Likewise the registries in force and the tensors. */
export const linkedRegistries = () => registries.value.map(name => refOf(registryFiles.get(name)!));
export const linkedTensors = () => {
  const file = tensorFile.value?.file;
  return file && { ...refOf(file), ...(measured.value && { tensor: measured.value.tensor.name }) };
};

/** The files of a source, if this visit or this report has them; else null. */
export const knownFiles = (from: Source): InputFile[] | null =>
  'file' in from && 'text' in from
    ? [{ name: from.file, blob: new Blob([from.encoding === 'gzip' ? decoded(from.text) : from.text]) }]
    : (filesOf.get(from) ?? reportFiles(from));

/** The same files with the registries in force, for a report. */
export function filesToRead(from: Source): InputFile[] | null {
  const files = 'file' in from && !('text' in from) ? knownFiles(from) : null;
  return files && [...new Map([...registryFiles, ...files.map(file => [file.name, file] as const)]).values()];
}

/** The registries that are in force. */
export const openedRegistries = () => [...registryFiles.values()];

/** The files that the open source was read from. */
export const openedFiles = () => (source.value && knownFiles(source.value)) ?? [];

/** The table that was refused last because its columns could not be mapped. */
export const refusedTable = signal<InputFile | null>(null);

/** The first file with columns; JSON has none. */
async function tableAmong(files: InputFile[]) {
  for (const file of files)
    if (!/^\s*[[{]/.test(await file.blob.slice(0, 64).text()) && !(await core().columns(file)).error) return file;
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
  void openFiles(files, { source: { file: opened.value!.source, as: { model } }, keepMachine: true });
}

/** Opens a source again; the caller sets the view. False if this visit does not have its file. */
export async function openAgain(from: Source): Promise<boolean> {
  const files = knownFiles(from);
  if (files) await openFiles(files, { source: from, keepView: true, again: true });
  else if ('built' in from) await openBuilt(from, true);
  else if ('sample' in from) await openSample(from.sample, true);
  else return false;
  return true;
}

export const sample = computed(() => {
  const from = source.value;
  return from && 'sample' in from ? samples.value.find(({ id }) => id === from.sample) : undefined;
});

const LEAST_IDLE = 0.01; // of the device's span: less is not worth showing

/** How long the device of a trace was idle; null: unknown, or too little to show. */
export const idle = computed(() => {
  const { span_s, busy_s } = opened.value?.device_time ?? {};
  if (span_s === undefined || busy_s === undefined || !(span_s - busy_s > LEAST_IDLE * span_s)) return null;
  return { time_s: span_s - busy_s, share: (span_s - busy_s) / span_s };
});

/** Whether the open sample was made up. */
export const isSynthetic = computed(() => sample.value?.synthetic ?? false);
export const SYNTHETIC = 'A made-up example: its times are not measured';
/** The title of a printed page or a picture: "ResNet-50, INT8, batch 8 (synthetic)", else the file's name. */
export const printedName = (file: string) =>
  sample.value ? sample.value.title + (isSynthetic.value ? ' (synthetic)' : '') : file;
/** What the times of the open operations are: "measured", "simulated by Vela", "synthetic". */
export const timesAre = () =>
  isSynthetic.value
    ? 'synthetic'
    : opened.value?.simulated_by
      ? `simulated by ${opened.value.simulated_by}`
      : 'measured';

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

interface OpenOptions {
  source?: Source;
  keepView?: boolean; // a link's view, or the same file read again
  shown?: boolean; // already on the screen, where the user may have acted on it
  keepMachine?: boolean; // the chosen machine applies to this source too
  keepWhatIf?: boolean; // and so does the what-if
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
  faults.value = [];
  notice.value = '';
  joinedWith.value = null;
  takenAsWhatIf.value = null;
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
  if (report.opened?.ops === 0 && from && !asked) return refuseEmpty(report, files[report.from![0]!]!.name, from);
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
      if (machine) notice.value ||= `The machine is now ${nameOf(machine)}.`;
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
  };
  const earlier = filesOf.get(lastFile.source);
  filesOf.set(lastFile.source, lastFile.files);
  if ('file' in lastFile.source && !('text' in lastFile.source)) void keep(lastFile.files, earlier);
  const keepWhatIf = options.keepMachine || report.config !== undefined;
  const keepMachine = keepWhatIf || report.machine !== undefined;
  await settle(report.opened, { ...options, source: lastFile.source, keepMachine, keepWhatIf, applied });
  return report.second;
}

/** Refuses a file without operations: reopens the source that it replaced, or opens the second file given with it. */
async function refuseEmpty({ opened: empty, second, faults: others }: OpenReport, file: string, from: Source) {
  const [why] = (await core().diagnostics(0, 1)).items;
  const fault = { line: 0, column: 0, path: '', ...why, message: noOperations(empty!, why?.message) };
  if (second) await openFiles([second]);
  else await openAgain(from);
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
    keepMachine = false,
    keepWhatIf = false,
    keepSelected = keepView && from === source.peek() && !('built' in from),
    applied = {},
  }: OpenOptions,
) {
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
    const another = !keepView && !shown && now.before === null;
    if (unmatched && !keepMachine) replaceSettings({});
    const guessed = another && !keepMachine ? now.guessed_machine : null;
    const inDoubt = now.before === null ? guessed : viewState.value.guessedMachine;
    if (another && !keepMachine) {
      changeView({ assumedMachine: undefined });
      chooseMachine(guessed ?? undefined);
    }
    if (another && !keepMachine) change({ overhead: undefined }); // typed for the machine and the kernels of another file
    if (another && !keepWhatIf) change({ whatif: undefined });
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
  try {
    if (name !== null) await selectNamed(name);
    await refresh();
    if (updateUsualSort()) await refresh();
    if (selected.value === null) {
      selectFirst();
      await refresh();
    }
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
  const all = panelFrame.value?.json.all;
  const before = usualSort.value;
  usualSort.value = all && isUnjudged(all) ? 'time' : 'lost';
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

let keeping: Promise<unknown> = Promise.resolve(); // one at a time: two files can have the same content

/** Keeps the user's own files in the browser. `earlier`: files they replace, which are removed; if those were not kept, neither are these. */
function keep(files: InputFile[], earlier?: InputFile[]) {
  const shaOf = ({ blob }: InputFile) => refs.get(blob)?.sha256;
  const isKept = (sha: string | undefined) => keptFiles.value.some(({ plain }) => plain === sha);
  keeping = keeping.then(async () => {
    const replaced = earlier?.some(({ blob }, i) => blob !== files[i]?.blob) ? earlier.map(shaOf) : [];
    const wanted = !embedded && (replaced.length === 0 || replaced.some(isKept));
    for (const file of files) {
      const digest = await fingerprintOf(file);
      if (wanted && !file.lent) await keepFile(file, digest);
    }
    for (const sha of replaced) {
      const old = keptFiles.value.find(({ plain }) => plain === sha);
      if (old && !files.some(file => shaOf(file) === sha)) await forgetFile(old.sha256);
    }
  });
  return keeping;
}

async function fingerprintOf(file: InputFile) {
  const digest = await digestOf(file).catch(() => null);
  if (digest && !refs.has(file.blob)) {
    refs.set(file.blob, { file: file.name, sha256: digest.plain, size: file.blob.size });
    ++refsKnown.value;
  }
  return digest;
}

const given = new Map<string, InputFile>(); // what the page asked for, by SHA-256 or else by name

/** Takes the files that a link waits for and opens the link once it has all. Returns the other files. */
async function giveAwaited(asked: Awaited, files: InputFile[]): Promise<InputFile[]> {
  const digests = await Promise.all(files.map(file => digestOf(file).catch(() => null)));
  const others = new Set(files);
  const missing = asked.missing.filter(({ file: name, sha256 }) => {
    const at = files.findIndex((file, i) => (sha256 && digests[i] ? digests[i].plain === sha256 : file.name === name));
    if (at < 0) return true;
    given.set(sha256 ?? name, files[at]!);
    others.delete(files[at]!);
    return false;
  });
  if (missing.length === asked.missing.length) return files;
  awaited.value = missing.length > 0 ? { ...asked, missing } : null;
  setAside.value = null;
  if (missing.length > 0) return [];
  await asked.resume();
  return [...others];
}

/** Finds the files of a link among those given by the user or kept in this browser. Returns the missing ones too. */
export async function findFiles({ source: from, before: earlier, registries: rules = [], tensors }: LinkState) {
  const missing: FileRef[] = [];
  let damaged = false;
  const inReport = [from, earlier].flatMap(one => (one && reportFiles(one)) ?? []);
  const find = async (ref: FileRef) => {
    const byHand = given.get(ref.sha256 ?? ref.file) ?? inReport.find(({ name }) => name === ref.file);
    const found = byHand ? { file: byHand } : await findKept(ref);
    damaged ||= 'damaged' in found;
    if (!found.file) missing.push({ file: ref.file, ...(ref.sha256 && { sha256: ref.sha256 }), size: ref.size! });
    return found.file;
  };
  const findAll = async (list: FileRef[]) =>
    (await Promise.all(list.map(find))).filter((file): file is InputFile => file !== undefined);
  for (const one of [from, earlier]) {
    if (!one || !('file' in one) || knownFiles(one)) continue;
    const wanted = (one as OwnFile).files ?? [one];
    const files = await findAll(wanted);
    if (files.length === wanted.length) filesOf.set(one, files);
  }
  const own = await findAll(rules.filter(({ file }) => !registryFiles.has(file)));
  return { missing, damaged, registries: own, tensors: tensors && (await findAll([tensors]))[0] };
}

/** Opens a file that this browser keeps. */
export async function openKept(ref: FileRef) {
  const { file } = await findKept(ref);
  if (file) await openFiles([file]);
  else complain(ref.file, 'The copy that this browser kept is missing or damaged: open the file again');
}

/** Computes the digests of the open files, which identify them in links. */
export const fingerprint = () => Promise.all(openedFiles().map(fingerprintOf));

/** Removes the registries and reads the open file again without them. */
export async function forgetRegistries() {
  await core().clearRegistry();
  registries.value = [];
  registryFiles.clear();
  const blob = await core().sourceBlob();
  if (blob) await openFiles([{ name: opened.value?.source ?? '', blob }], { source: source.value!, keepView: true });
}

let lastFile: { files: InputFile[]; source: Source } | null = null; // for the way back from an operator or a model

/** Opens the last file again, else the first sample. */
export const openSourceFile = () =>
  lastFile ? openFiles(lastFile.files, { source: lastFile.source, keepMachine: true }) : openSample('');

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
    chooseModelMachine();
    const formats = 'formats' in config ? { weights: undefined, experts: undefined } : {};
    await openBuilt({ built: 'model', request: { ...request, ...formats, model } });
  }
}

let building: Built | null = null; // the next operator or model to open
let builder: Promise<void> | null = null;

/** Opens an operator or a language model, or updates it for a new request: one at a time, the newest wins. */
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
    const next: Source = { ...ofFile, as: { ...ofFile.as, network: choices } };
    filesOf.set(next, filesOf.get(ofFile) ?? []);
    lastFile = { files: filesOf.get(next)!, source: next };
    await settle(now, { source: next, keepView: true, keepSelected: true });
  }
}

/** Opens pasted text. */
export const openText = (text: string) => openFiles([{ name: 'pasted text', blob: new Blob([text]) }]);

/** Cancels reading; the old source stays open. */
export const cancelOpening = () => void core().cancel();

/** Shows an error. */
export function complain(file: string, error: unknown) {
  faults.value = [{ file, fault: { message: messageOf(error), line: 0, column: 0, path: '' } }];
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
