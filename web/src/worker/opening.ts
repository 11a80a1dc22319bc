// Opens files, operators and models.
import type { Fault, NetworkChoices, OpenedJson, Prepared, TableColumns, ReadOverrides } from '../../../wasm/session';
import type { InputFile, Opened, OpenReport } from './messages';
import { checkpointModel, isCheckpointIndex } from './checkpoint';
import { configure, fault, fill, session } from './module';
import { ggufModel, ggufModels, isGguf } from './gguf';
import { isNetwork, networkCommands } from './network';
import { mergeAsRun, openNetwork, openRun, resizeNow, setOpenNetwork, setOpenRun } from './open_network';
import { plain, unzipped } from './plain';
import {
  advance,
  clearCancellation,
  cancelled,
  setOpened,
  read,
  openedCount,
  source,
  type OnProgress,
  type Outcome,
} from './reading';
import { tensorsOf } from './tensors';
import { wrongFile } from './wrong_file';

const TABLE_HEAD = 1 << 16; // of a table, for its first rows
const HEAD_BYTES = 1 << 20; // enough to recognise a file (ReadOptions::standard_head)

let opening: Promise<unknown> = Promise.resolve();

/// Registries and settings among the files take effect before the operations are read, whatever their order. One opening at a time: they
/// share the session's input.
export function open(
  config: string,
  files: InputFile[],
  as: ReadOverrides,
  onProgress: OnProgress,
): Promise<OpenReport> {
  const report = opening.then(() => {
    configure(config); // readers use settings for what a file does not state
    return openNow(config, files, as, onProgress);
  });
  opening = report.catch(() => {});
  return report;
}

async function openNow(
  config: string,
  files: InputFile[],
  as: ReadOverrides,
  onProgress: OnProgress,
): Promise<OpenReport> {
  clearCancellation();
  const report: OpenReport = { registries: [], faults: [] };
  const operations: InputFile[] = [];
  const places: number[] = []; // of the operations among the files
  const ggufs: InputFile[] = [];
  const weights: InputFile[] = []; // safetensors files: with a config.json, a checkpoint
  let index = ''; // of those files
  const networks = new Map<InputFile, InputFile>(); // by their operations
  let registered = false;
  for (const [place, file] of files.entries()) {
    try {
      if (await isGguf(file)) {
        ggufs.push(file);
        continue;
      }
      if (await isNetwork(file)) {
        operations.push(await networkCommands(file, config, as.network));
        networks.set(operations.at(-1)!, file);
        places.push(place);
        continue;
      }
      const packed = file.blob.size;
      const unpacked = {
        name: file.name,
        blob: await unzipped(file.blob, done => advance(onProgress, 'unpacking', done, packed)),
      };
      const wrong = await wrongFile(file.name, unpacked.blob);
      if (wrong) throw wrong;
      if (isCheckpointIndex(file.name)) {
        index = await unpacked.blob.text();
        continue;
      }
      const tensors = await tensorsOf(unpacked);
      if (tensors) {
        if (/\.safetensors$/i.test(file.name)) weights.push(unpacked);
        report.tensors = { file: unpacked, tensors };
        continue;
      }
      const input = { name: file.name, blob: await plain(unpacked.blob, () => {}) };
      const prepared = await prepare(input);
      const text = prepared.text ?? '';
      if (prepared.error) report.faults.push({ file: file.name, fault: prepared.error });
      else if (prepared.kind === 'operations') {
        operations.push(input);
        places.push(place);
      } else if (prepared.kind === 'config') report.config = text;
      else if (prepared.kind === 'machine') report.machine = text;
      else if (prepared.kind === 'model') report.model = { file: file.name, text };
      else if (prepared.kind === 'registry') registered = register(file.name, text, report) || registered;
    } catch (error) {
      session.drop();
      if (error === cancelled) return { ...report, cancelled: true };
      report.faults.push({ file: file.name, fault: fault(error) });
    }
  }
  await openCheckpoint(index, weights, report);
  await openGguf(ggufs, report);
  const [first, second, ...rest] = operations;
  for (const { name } of rest) {
    report.faults.push({
      file: name,
      fault: fault(`${first!.name} and ${second!.name} are open already: at most two runs can be compared`),
    });
  }
  const reread = operations.length === 0 && registered && source !== null;
  const input = reread ? source : first;
  if (!input) return report;
  try {
    report.opened = await read(input, as, onProgress);
    const sameNetwork = report.opened.joined || (reread && !openRun);
    if (networks.has(input) || !sameNetwork) setOpenNetwork(networks.get(input), as.network);
    setOpenRun(report.opened.joined ? input : null);
    report.reread = reread;
    report.from = places.slice(0, 1);
    report.joinedWithOpen = report.opened.joined;
    if (second) {
      if (await joined(input, second, as, report, onProgress)) {
        report.from = places.slice(0, 2);
        setOpenRun(networks.has(second) ? input : second);
        if (!openNetwork) setOpenNetwork(networks.get(second), as.network); // the profile came first
      } else report.second = second;
    }
    await mergeAsRun(config, report, onProgress);
  } catch (error) {
    session.drop();
    if (error === cancelled) return { ...report, cancelled: true };
    report.faults.push({ file: input.name, fault: fault(error) });
  }
  return report;
}

/// Reads the network of a reading again at other choices. `error`: why not; what is open stays. Null: another file has been opened since.
export function resize(config: string, choices: NetworkChoices, reading: number): Promise<Outcome | null> {
  return afterOpening(async () => (reading === openedCount ? resizeNow(config, choices) : null));
}

/// A config.json among the files has the bytes of the safetensors files beside it.
async function openCheckpoint(index: string, files: InputFile[], report: OpenReport) {
  const { model } = report;
  if (index && !(model && files.length)) {
    const wanted = 'an index of safetensors files: open it together with these files and their config.json';
    report.faults.push({ file: 'model.safetensors.index.json', fault: fault(wanted) });
  }
  if (!model || files.length === 0) return;
  try {
    report.model = { file: model.file, text: await checkpointModel(model.text, index, files) };
  } catch (error) {
    report.faults.push({ file: files[0]!.name, fault: fault(error) });
  }
}

async function openGguf(files: InputFile[], report: OpenReport) {
  const [model, ...others] = ggufModels(files);
  try {
    if (model) report.model = await ggufModel(model);
  } catch (error) {
    session.drop();
    report.faults.push({ file: model![0]!.name, fault: fault(error) });
  }
  for (const [{ name }] of others as [InputFile][])
    report.faults.push({ file: name, fault: fault(`${model![0]!.name} was opened: one model can be open at a time`) });
}

/// Whether the second file has the same layers and adds what the first lacks; if not, reopens the first.
async function joined(
  first: InputFile,
  second: InputFile,
  as: ReadOverrides,
  report: OpenReport,
  onProgress: OnProgress,
): Promise<boolean> {
  if (!report.opened!.lacking) return false;
  let both: Opened;
  try {
    both = await read(second, {}, onProgress);
  } catch (error) {
    if (error === cancelled) throw error;
    session.drop();
    return false; // The caller reports this error.
  }
  report.opened = both.joined ? both : await read(first, { ...as, alone: true }, onProgress);
  return both.joined;
}

/// Recognises a file by its first bytes. Only operations are large; the text of the others is handed back.
async function prepare({ name, blob }: InputFile): Promise<Prepared> {
  await fill({ name, blob: blob.slice(0, HEAD_BYTES) });
  const prepared = JSON.parse(session.prepare()) as Prepared;
  if (prepared.kind === 'operations' || blob.size <= HEAD_BYTES) return prepared;
  await fill({ name, blob });
  return JSON.parse(session.prepare()) as Prepared;
}

function register(file: string, text: string, report: OpenReport) {
  const result = JSON.parse(session.addRegistry(text)) as { error?: Fault; ops?: string[] };
  if (result.error) report.faults.push({ file, fault: result.error });
  else report.registries.push({ file, ops: result.ops ?? [] });
  return !result.error;
}

/// Opens an operator or a model, which the core makes itself, under the given settings. With `reading` it replaces only that one. Null: another
/// source has been opened since.
export const build = (config: string, kind: 'operator' | 'model', request: object, reading?: number) =>
  afterOpening(() => (reading === undefined || reading === openedCount ? buildNow(config, kind, request) : null));

function buildNow(config: string, kind: 'operator' | 'model', request: object): Outcome {
  const refused = configure(config);
  if (refused) return { error: refused };
  const { error, opened } = JSON.parse(session.build(kind, JSON.stringify(request))) as {
    error?: Fault;
    opened?: OpenedJson;
  };
  if (!opened) return { error: error! };
  setOpenNetwork();
  return { opened: setOpened(opened, null) };
}

/// Runs `use` once nothing is being read: the session has one reader and one buffer.
function afterOpening<T>(use: () => T | Promise<T>): Promise<T> {
  const used = opening.then(use);
  opening = used.catch(() => {});
  return used;
}

/// The columns of a table, by its first rows.
export const columns = (file: InputFile) => afterOpening(() => columnsNow(file));

async function columnsNow({ name, blob }: InputFile): Promise<TableColumns> {
  try {
    const text = await plain(await unzipped(blob, () => {}), () => {});
    await fill({ name, blob: text.slice(0, TABLE_HEAD) });
    return JSON.parse(session.tableColumns()) as TableColumns;
  } catch (error) {
    return { error: fault(error) };
  }
}

/// A machine's file, of any tool, as a machine with all its figures.
export const machine = (file: Blob) => afterOpening(() => machineNow(file));

async function machineNow(file: Blob): Promise<{ error?: Fault; text?: string }> {
  try {
    const { kind, text, error } = await prepare({ name: '', blob: await plain(file, () => {}) });
    if (error) return { error };
    return kind === 'machine' && text !== undefined
      ? { text }
      : {
          error: fault(
            'not a machine: expected peaks and memories, or the file of ERT (roofline.json, sum), clpeak or rocprof-compute (roofline.csv)',
          ),
        };
  } catch (error) {
    return { error: fault(error) };
  } finally {
    session.drop();
  }
}

/// Whether the open run is kept as the run before when the next one opens.
export const keep = (next: boolean) => afterOpening(() => session.keep(next));

export const forget = () => afterOpening(() => session.forget());

export const clearRegistry = () => afterOpening(() => session.clearRegistry());
