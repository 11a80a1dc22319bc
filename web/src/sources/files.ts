// Opens samples, files, drops, pasted text, links and what `roofline serve` has. The old source stays until the new one is read.
import { proxy } from 'comlink';
import type { InputFile, OpenReport, Progress } from '../worker/messages';
import { core, CoreStopped, sampleText } from '../core/core';
import { messageOf } from '../core/faults';
import type { Machine } from '../core/machine_document';
import { settings, settingsText } from '../core/settings';
import { machineName } from '../machine/machine_options';
import { noMachineChosen } from '../model/model_machine';
import { FIRST_REQUEST } from '../model/model_request';
import { openTensors } from '../precision/tensors';
import { isOwnFile, type FileRef, type Source } from '../share/link';
import { awaited, giveAwaited, setAside } from './awaited';
import { openBuilt } from './built';
import { isEmpty, noOperations } from './hints';
import { takeAsWhatIf } from './machine_file';
import {
  complain,
  faults,
  joinedWith,
  notice,
  opened,
  progress,
  ranModel,
  refusedTable,
  reopenRuns,
  samples,
  source,
  type Sample,
} from './opened';
import { findKept } from './own_files';
import { applySettings, clearNotices, registerOpening, applyOpened, type ApplyOptions } from './apply_opened';
import { filesOf, keep, knownFiles, lastFile, openedFiles, registries, registryFiles } from './source_files';

/** The first file with at least two named columns; JSON has none. */
async function tableAmong(files: InputFile[]) {
  for (const file of files) {
    if (/^\s*[[{]/.test(await file.blob.slice(0, 64).text())) continue;
    const { columns = [] } = await core().columns(file);
    if (columns.filter(({ header }) => header !== '').length > 1) return file;
  }
  return null;
}

/** Opens the joined file alone. */
export function openJoinedAlone() {
  const file = joinedWith.value?.file;
  if (file) void openFiles([file], { source: { file: file.name, as: { alone: true } } });
}

/** The trace that is open, with that model's operators beside its kernels. `context`: of each sequence, where the steps do not state it. */
export function placeModel(context?: number) {
  const files = openedFiles();
  if (!files.length || !ranModel.value) return;
  const model = { model: ranModel.value.model, ...(context && { context }) };
  void openFiles(files, { source: { file: opened.value!.source, as: { model } }, keeps: 'settings' });
}

/** Opens a source again; the caller sets the view, or `onSourceSet` does in the same batch. False if this visit lacks its file, or if the file can no longer be read. */
export async function openAgain(from: Source, onSourceSet?: () => void): Promise<boolean> {
  const files = knownFiles(from);
  if (files) await openFiles(files, { source: from, keepView: true, again: true, onSourceSet });
  else if ('built' in from) await openBuilt(from, true, onSourceSet);
  else if ('sample' in from) return openSample(from.sample, true, true, onSourceSet).then(() => true);
  return source.peek() === from;
}

/** Fetches the list of samples. */
export async function loadSamples() {
  samples.value = JSON.parse(await sampleText('index.json')) as Sample[];
}

/** Opens a sample by its id, unless something else is opened while it is fetched. */
export async function openSample(id: string, keepView = false, keepSettings = keepView, onSourceSet?: () => void) {
  const chosen = samples.value.find(item => item.id === id) ?? samples.value[0];
  if (!chosen) return;
  const isNewest = registerOpening();
  try {
    const blob = new Blob([await sampleText(chosen.file)]);
    if (!isNewest()) return;
    const keeps = keepSettings ? ('settings' as const) : undefined;
    const options = { source: { sample: chosen.id }, keepView, keeps, onSourceSet };
    await openFiles([{ name: chosen.file, blob }], options);
  } catch (error) {
    complain(chosen.file, error);
  }
}

interface OpenOptions extends ApplyOptions {
  again?: boolean; // reopens the files only: machine and settings are in force already
  tensor?: string; // of a tensor file: the one to show
}

/**
 * Opens files of any kind: operations, a registry, settings, a machine, tensors or a model. Returns a second file of operations, which is
 * another run.
 */
export async function openFiles(files: InputFile[], options: OpenOptions = {}): Promise<InputFile | undefined> {
  if (!options.keepView) registerOpening();
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
    await applyOpened(report.opened, { source: source.value!, keepView: true, applied });
    return undefined;
  }
  const first = report.joinedWithOpen && source.value;
  const own = report.from!.map(at => files[at]!);
  if (first) joinedWith.value = { file: own[0]!, to: opened.value?.source ?? '' };
  const file = {
    files: first ? [...(filesOf.get(first) ?? []), ...own] : own,
    source: options.source ?? { file: report.opened.source, ...sameChoices(first) },
    statesMachine: report.opened.stated_machine !== null,
  };
  lastFile.value = file;
  const earlier = filesOf.get(file.source);
  filesOf.set(file.source, file.files);
  if (isOwnFile(file.source)) void keep(file.files, earlier);
  const keeps = report.config ? 'settings' : (options.keeps ?? (report.machine ? 'machine' : undefined));
  await applyOpened(report.opened, { ...options, source: file.source, keeps, applied });
  return report.second;
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

/** The last file or sample opened; null: none. */
export const lastFileSource = () => lastFile.value?.source ?? null;

/** Opens the last file again. A machine that the user chose stays, unless the file states its own. */
export function reopenLastFile() {
  const last = lastFile.peek();
  if (!last) return;
  const { files, source: from, statesMachine } = last;
  void openFiles(files, { source: from, keeps: statesMachine || noMachineChosen() ? undefined : 'machine' });
}

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

/** Opens pasted text. */
export const openText = (text: string) => openFiles([{ name: 'pasted text', blob: new Blob([text]) }]);

/** Cancels reading; the old source stays open. */
export const cancelOpening = () => void core().cancel();
