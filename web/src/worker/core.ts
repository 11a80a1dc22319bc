// The session as the page calls it through Comlink: opens files, answers frames, writes exports.
import { transfer } from 'comlink';
import createRoofline from 'roofline-glue';
import type {
  AccuracyJson,
  CoreModule,
  Detail,
  Fault,
  OpenedJson,
  Prepared,
  RowJson,
  Session,
  TableColumns,
  TakenAs,
  TensorInfo,
  TensorList,
  TextRange,
  View,
} from '../../../wasm/session';
import type {
  Answer,
  Diagnostics,
  ExportKind,
  FrameReply,
  FrameRequest,
  InputFile,
  Opened,
  OpenReport,
  Progress,
} from './messages';
import { PACKED_START, TENSOR_START } from '../protocol';
import { inflated, plain, unzipped } from './plain';
import { wrongFile } from './wrong_file';

const PIECE_BYTES = 4 << 20;
const TABLE_HEAD = 1 << 16; // of a table, for its first rows
const HEAD_BYTES = 1 << 20; // that tell what a file is (ReadOptions::standard_head)
const MOST_BYTES = 1.5e9; // of what is read whole: the module has 4 GB
const SLICE_MS = 40; // how long to work before letting messages (cancel, frames) through

const NO_RECORD = { offset: -1, text: '' };
const cancelled = new Error('cancelled');

/// The event loop gets a turn: waiting messages are handled.
const turn = () => new Promise<void>(resolve => setTimeout(resolve));

export class Core {
  private module!: CoreModule;
  private session!: Session;
  private source: InputFile | null = null; // what is open, as plain bytes
  private config: string | null = null;
  private record = NO_RECORD; // the last one shown
  private opening: Promise<unknown> = Promise.resolve();
  private stop = false;

  /// `wasm`: the bytes of the module. `life`: a lock to hold for as long as the worker lives, by which the page learns of its end; the
  /// answer says whether it is held.
  async start(wasm: ArrayBuffer, life?: string): Promise<boolean> {
    const held = life ? holding(life) : false;
    // Older glue needs locateFile: it asks for a base URL, which a worker made from a Blob does not have.
    this.module = await createRoofline({ wasmBinary: wasm, locateFile: file => file });
    this.session = new this.module.Session();
    return held;
  }

  /// Answers: the worker is there.
  ping() {}

  // ---- opening

  /// Registries and settings among the files take effect before the operations are read, whatever their order. One opening at a time: they
  /// share the session's input.
  open(config: string, files: InputFile[], as: TakenAs, onProgress: (progress: Progress) => void): Promise<OpenReport> {
    const report = this.opening.then(() => {
      this.configure(config); // what is assumed where a file does not say
      return this.openNow(files, as, onProgress);
    });
    this.opening = report.catch(() => {});
    return report;
  }

  private async openNow(
    files: InputFile[],
    as: TakenAs,
    onProgress: (progress: Progress) => void,
  ): Promise<OpenReport> {
    this.stop = false;
    const report: OpenReport = { registries: [], faults: [] };
    const operations: InputFile[] = [];
    let registered = false;
    for (const file of files) {
      try {
        const packed = file.blob.size;
        const unpacked = {
          name: file.name,
          blob: await unzipped(file.blob, done => this.advance(onProgress, 'unpacking', done, packed)),
        };
        const wrong = await wrongFile(file.name, unpacked.blob);
        if (wrong) throw wrong;
        const tensors = await this.tensors(unpacked);
        if (tensors) {
          report.tensors = { file: unpacked, tensors };
          continue;
        }
        const input = { name: file.name, blob: await plain(unpacked.blob, () => {}) };
        const prepared = await this.prepare(input);
        const text = prepared.text ?? '';
        if (prepared.error) report.faults.push({ file: file.name, fault: prepared.error });
        else if (prepared.kind === 'operations') operations.push(input);
        else if (prepared.kind === 'config') report.config = text;
        else if (prepared.kind === 'machine') report.machine = text;
        else if (prepared.kind === 'model') report.model = { file: file.name, text };
        else if (prepared.kind === 'registry') registered = this.register(file.name, text, report) || registered;
      } catch (error) {
        this.session.drop();
        if (error === cancelled) return { ...report, cancelled: true };
        report.faults.push({ file: file.name, fault: fault(error) });
      }
    }
    const [first, second, ...rest] = operations;
    for (const { name } of rest) {
      report.faults.push({
        file: name,
        fault: fault(`${first!.name} and ${second!.name} were opened: two runs can be compared at a time`),
      });
    }
    const reread = operations.length === 0 && registered && this.source !== null;
    const input = reread ? this.source : first;
    if (!input) return report;
    try {
      report.opened = await this.read(input, as, onProgress);
      report.reread = reread;
      report.joinedWithOpen = report.opened.joined;
      if (second && !(await this.joined(input, second, as, report, onProgress))) report.second = second;
    } catch (error) {
      this.session.drop();
      if (error === cancelled) return { ...report, cancelled: true };
      report.faults.push({ file: input.name, fault: fault(error) });
    }
    return report;
  }

  /// Whether the second file is of the same layers, and has what the first one lacks; else the first is open again.
  private async joined(
    first: InputFile,
    second: InputFile,
    as: TakenAs,
    report: OpenReport,
    onProgress: (progress: Progress) => void,
  ) {
    if (!report.opened!.lacking) return false;
    let both: Opened;
    try {
      both = await this.read(second, {}, onProgress);
    } catch (error) {
      if (error === cancelled) throw error;
      this.session.drop();
      return false; // told, by its name, where it is opened to be compared
    }
    if (both.joined) report.opened = both;
    else await this.read(first, { ...as, alone: true }, onProgress);
    return both.joined;
  }

  /// Opens what the core makes itself, under the given settings.
  build(config: string, kind: 'operator' | 'model', request: object): { error?: Fault; opened?: Opened } {
    const refused = this.configure(config);
    if (refused) return { error: refused };
    const { error, opened } = JSON.parse(this.session.build(kind, JSON.stringify(request))) as {
      error?: Fault;
      opened?: OpenedJson;
    };
    if (!opened) return { error: error! };
    this.source = null;
    this.record = NO_RECORD;
    return { opened: { ...opened, size: 0 } };
  }

  /// The columns of a table, by its first rows.
  async columns({ name, blob }: InputFile): Promise<TableColumns> {
    try {
      const text = await plain(await unzipped(blob, () => {}), () => {});
      await this.fill({ name, blob: text.slice(0, TABLE_HEAD) });
      return JSON.parse(this.session.tableColumns()) as TableColumns;
    } catch (error) {
      return { error: fault(error) };
    }
  }

  // ---- tensors

  /// What a tensor file holds, from its header alone; null: it is none.
  private async tensors({ name, blob }: InputFile): Promise<TensorInfo[] | null> {
    for (let bytes = TENSOR_START; ; ) {
      await this.fill({ name, blob: blob.slice(0, bytes) });
      const { error, header_bytes, tensors } = JSON.parse(this.session.tensors(blob.size)) as TensorList;
      if (error) throw error;
      if (tensors) return this.unpacked({ name, blob }, tensors);
      if (!header_bytes) return null;
      bytes = header_bytes;
    }
  }

  /// The same, with what the packed ones say themselves.
  private async unpacked({ name, blob }: InputFile, list: TensorInfo[]) {
    for (const [i, tensor] of list.entries()) {
      if (!tensor.packed) continue;
      await this.fill({ name, blob: await this.part(blob, tensor, PACKED_START) });
      const { error, tensors } = JSON.parse(this.session.unpacked(i)) as TensorList;
      if (error) throw error;
      list[i] = tensors![0]!;
    }
    return list;
  }

  private async part(blob: Blob, { name, packed }: TensorInfo, most: number) {
    try {
      bounded(Math.min(packed!.size, most));
      return await inflated(blob, packed!, most);
    } catch (error) {
      throw { ...fault(error), path: name };
    }
  }

  /// What formats make of one tensor of the file that was listed last.
  async accuracy({ name, blob }: InputFile, tensor: TensorInfo): Promise<AccuracyJson | { error: Fault }> {
    try {
      const { offset, bytes, packed } = tensor;
      const data = packed ? await this.part(blob, tensor, packed.size) : blob;
      await this.fill({ name, blob: data.slice(offset, offset + bytes) });
      return JSON.parse(this.session.accuracy(tensor.name)) as AccuracyJson;
    } catch (error) {
      this.session.drop();
      return { error: fault(error) };
    }
  }

  // ---- comparing

  /// Whether what is open stays as the run to compare with when the next opens.
  keep(next: boolean) {
    this.session.keep(next);
  }

  forget() {
    this.session.forget();
  }

  cancel() {
    this.stop = true;
  }

  clearRegistry() {
    this.session.clearRegistry();
  }

  /// Bytes that the session's next call takes, whole.
  private async fill({ name, blob }: InputFile) {
    bounded(blob.size);
    const start = this.session.begin(blob.size, name);
    const reader = blob.stream().getReader();
    for (let at = 0; ; ) {
      const { done, value } = await reader.read();
      if (done) return;
      this.module.HEAPU8.set(value, start + at);
      at += value.length;
    }
  }

  /// What a file is, which its first bytes tell. All but operations are small, and handed back as text.
  private async prepare({ name, blob }: InputFile): Promise<Prepared> {
    await this.fill({ name, blob: blob.slice(0, HEAD_BYTES) });
    const prepared = JSON.parse(this.session.prepare()) as Prepared;
    if (prepared.kind === 'operations' || blob.size <= HEAD_BYTES) return prepared;
    await this.fill({ name, blob });
    return JSON.parse(this.session.prepare()) as Prepared;
  }

  /// Operations, piece by piece: the file may be larger than the module's memory. While one piece is read the next is fetched.
  private async read(input: InputFile, as: TakenAs, onProgress: (progress: Progress) => void): Promise<Opened> {
    const { name, blob } = input;
    const refused = JSON.parse(this.session.takeAs(JSON.stringify(as))) as { error?: Fault };
    if (refused.error) throw refused.error;
    this.session.start(name, blob.size);
    const fetch = (from: number) => {
      const bytes = blob.slice(from, from + PIECE_BYTES).arrayBuffer();
      bytes.catch(() => {}); // told where it is awaited
      return bytes;
    };
    let slice = performance.now();
    for (let at = 0, next = fetch(0); at < blob.size; at += PIECE_BYTES) {
      const bytes = new Uint8Array(await next);
      next = fetch(at + PIECE_BYTES);
      const start = this.session.begin(bytes.length, name);
      this.module.HEAPU8.set(bytes, start);
      const { error } = JSON.parse(this.session.feed()) as { error?: Fault };
      if (error) throw error;
      if (performance.now() - slice >= SLICE_MS) {
        await turn();
        slice = performance.now();
      }
      this.advance(onProgress, 'reading', Math.min(at + PIECE_BYTES, blob.size), blob.size);
    }
    const { error, opened } = JSON.parse(this.session.finish()) as { error?: Fault; opened?: OpenedJson };
    if (!opened) throw error;
    this.source = input;
    this.record = NO_RECORD;
    return { ...opened, size: blob.size };
  }

  private reported = 0;
  private advance(onProgress: (progress: Progress) => void, stage: Progress['stage'], done: number, total: number) {
    if (this.stop) throw cancelled;
    if (performance.now() - this.reported < SLICE_MS) return;
    this.reported = performance.now();
    onProgress({ stage, done, total });
  }

  private register(file: string, text: string, report: OpenReport) {
    const result = JSON.parse(this.session.addRegistry(text)) as { error?: Fault; ops?: string[] };
    if (result.error) report.faults.push({ file, fault: result.error });
    else report.registries.push({ file, ops: result.ops ?? [] });
    return !result.error;
  }

  // ---- looking

  async frame({ config, view, selected, chartAlone: quick }: FrameRequest): Promise<FrameReply> {
    const [refused, unseen] = [this.configure(config), this.look(view)];
    const fault = refused ?? unseen;
    const data = quick ? this.session.chart() : this.session.frame();
    const chartAlone = quick === true && !('table' in (JSON.parse(data.json) as object));
    const detail = selected === null || chartAlone ? null : await this.detail(selected);
    const buffers = Object.values(data).flatMap(value =>
      ArrayBuffer.isView(value) ? [value.buffer as ArrayBuffer] : [],
    );
    return transfer({ data, chartAlone, detail, machine: chartAlone ? '' : this.session.machine(), fault }, buffers);
  }

  /// The first rows of the table, wherever the page has scrolled it to.
  rows(view: View, rows: number): RowJson[] {
    this.look({ ...view, offset: 0, rows });
    const { table } = JSON.parse(this.session.frame().json) as { table: { rows: RowJson[] } };
    this.look(view);
    return table.rows;
  }

  /// One op for a tooltip: no raw record.
  glance(op: number): Detail {
    return JSON.parse(this.session.detail(op, '')) as Detail;
  }

  /// A question's answer under the given settings.
  ask(config: string, question: string, request: object): Answer<unknown> | { error: Fault } {
    const refused = this.configure(config);
    if (refused) return { error: refused };
    const { json, ...columns } = this.session.ask(question, JSON.stringify(request));
    const parsed = JSON.parse(json) as { error?: Fault };
    if (parsed.error) return { error: parsed.error };
    const answer = { json: parsed, columns: columns as Answer<unknown>['columns'] };
    return transfer(
      answer,
      Object.values(answer.columns).map(column => column.buffer),
    );
  }

  /// Operations as one kernel, with their raw records: those tell the tensors.
  async fusion(config: string, ops: number[]) {
    const records = await Promise.all(
      ops.map(op => {
        const range = this.source && (JSON.parse(this.session.record(op)) as TextRange | null);
        const text = range ? this.source!.blob.slice(range.offset, range.offset + range.length).text() : '';
        return Promise.resolve(text).catch(() => '');
      }),
    );
    return this.ask(config, 'fusion', { ops, records });
  }

  diagnostics(offset: number, limit: number) {
    return JSON.parse(this.session.diagnostics(offset, limit)) as Diagnostics;
  }

  indexOf(name: string) {
    return this.session.indexOf(name);
  }

  /// A machine's file, whatever tool wrote it, as a machine with all its figures.
  async machine(file: Blob): Promise<{ error?: Fault; text?: string }> {
    try {
      const { kind, text, error } = await this.prepare({ name: '', blob: await plain(file, () => {}) });
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
      this.session.drop();
    }
  }

  list(kind: 'machines' | 'models' | 'formats' | 'operators' | 'stacks') {
    return JSON.parse(this.session.list(kind)) as { id: string; name: string }[];
  }

  show(kind: 'machine' | 'format' | 'operator', id: string) {
    return this.session.show(kind, id);
  }

  private configure(config: string): Fault | null {
    if (config === this.config) return null;
    const { error } = JSON.parse(this.session.configure(config)) as { error?: Fault };
    if (!error) this.config = config;
    return error ?? null;
  }

  private look(view: View): Fault | null {
    const { error } = JSON.parse(this.session.view(JSON.stringify(view))) as { error?: Fault };
    return error ?? null;
  }

  /// With its raw record, which is read from the file. While a slider moves the operation stays, and its record is the last one.
  private async detail(op: number): Promise<FrameReply['detail']> {
    const range = this.source && (JSON.parse(this.session.record(op)) as TextRange | null);
    if (this.source && range && range.offset !== this.record.offset) {
      const text = await this.source.blob
        .slice(range.offset, range.offset + range.length)
        .text()
        .catch(() => '');
      this.record = { offset: range.offset, text };
    }
    const raw = range ? this.record.text : '';
    const detail = JSON.parse(this.session.detail(op, raw)) as Detail;
    if (detail.error) return null;
    return range ? { ...detail, text: raw || null } : detail;
  }

  // ---- taking away

  write(kind: ExportKind): Blob {
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    this.session.write(kind, piece => pieces.push(new Uint8Array(piece)));
    return new Blob(pieces);
  }

  savedConfig() {
    return this.session.config();
  }

  /// The open file's plain bytes, by reference.
  sourceBlob() {
    return this.source?.blob ?? null;
  }

  /// Hex SHA-256 of the open file's plain bytes; null where the browser has no digest (an insecure page), or the file is too large for it.
  async sha256() {
    if (!this.source || this.source.blob.size > MOST_BYTES || !globalThis.crypto?.subtle) return null;
    const digest = await crypto.subtle.digest('SHA-256', await this.source.blob.arrayBuffer());
    return Array.from(new Uint8Array(digest), byte => byte.toString(16).padStart(2, '0')).join('');
  }
}

function bounded(bytes: number) {
  if (bytes > MOST_BYTES)
    throw new Error(`has ${(bytes / 1e9).toFixed(1)} GB: expected at most ${MOST_BYTES / 1e9} GB`);
}

/// For ever, once it is there. False where the browser forbids it.
function holding(life: string) {
  return new Promise<boolean>(resolve => {
    const held = () => {
      resolve(true);
      return new Promise(() => {});
    };
    Promise.resolve(globalThis.navigator?.locks?.request(life, held))
      .catch(() => {})
      .then(() => resolve(false));
  });
}

/// A module that has trapped is not used again: the page hears of it, and starts another.
const trapped = (cause: unknown) => cause instanceof WebAssembly.RuntimeError || cause instanceof RangeError;

function fault(cause: unknown): Fault {
  if (trapped(cause)) throw cause;
  if (typeof cause === 'object' && cause !== null && 'message' in cause && 'line' in cause) return cause as Fault;
  const message =
    cause instanceof DOMException
      ? `cannot be read (${cause.message}): expected a file`
      : cause instanceof Error
        ? cause.message
        : String(cause);
  return { message, line: 0, column: 0, path: '' };
}
