// The core as a library (index.d.ts says what it offers): sessions of the module, one for each analysis.
import createRoofline from 'roofline-glue';

const PIECE_BYTES = 4 << 20;

export class RooflineError extends Error {
  name = 'RooflineError';

  constructor({ message, line, column, path }) {
    super(message + (line > 0 ? ` (line ${line}, column ${column})` : path ? ` (${path})` : ''));
    Object.assign(this, { line, column, path });
  }
}

/** An answer of the core without its fault, which is thrown. */
function answer(text) {
  const json = JSON.parse(text);
  if (json.error) throw new RooflineError(json.error);
  return json;
}

const wrong = message => new RooflineError({ message, line: 0, column: 0, path: '' });

/** Starts the core. `wasm`: the bytes of roofline.wasm. */
export async function start(wasm) {
  return new Roofline(await createRoofline({ wasmBinary: wasm, locateFile: file => file }));
}

/** Ends a session whose analysis nobody has any more. */
const forgotten = new FinalizationRegistry(session => session.delete());

class Roofline {
  #module;

  constructor(module) {
    this.#module = module;
  }

  analyze(input, options = {}) {
    return this.#open(options, session => {
      const bytes = bytesOf(input);
      if (bytes[0] === 0x1f && bytes[1] === 0x8b) throw wrong('the input is packed by gzip: expected its plain bytes');
      const name = options.name ?? 'input';
      this.#give(session, bytes.subarray(0, PIECE_BYTES), name);
      const { kind } = answer(session.prepare());
      if (kind !== 'operations') throw wrong(`the input is a ${kind}: expected operations, kernels or a profile`);
      session.start(name, bytes.length);
      for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
        this.#give(session, bytes.subarray(at, at + PIECE_BYTES), name);
        answer(session.feed());
      }
      answer(session.finish());
    });
  }

  op(type, parameters, { formats = ['fp16'], ...options } = {}) {
    const request = { type, parameters, formats };
    return this.#open(options, session => answer(session.build('operator', JSON.stringify(request))));
  }

  llm(model, { machine, config, ...request } = {}) {
    const settings = { machine, config };
    return this.#open(settings, session => answer(session.build('model', JSON.stringify({ model, ...request }))));
  }

  list(kind) {
    return this.#with(session => answer(session.list(kind)));
  }

  show(kind, id) {
    return this.#with(session => answer(session.show(kind, id)));
  }

  /** An analysis of what `open` opens, under the settings. */
  #open({ machine, config = {}, registry }, open) {
    const session = new this.#module.Session();
    try {
      const settings = machine === undefined ? config : { ...config, machine };
      answer(session.configure(JSON.stringify(settings)));
      if (registry !== undefined) answer(session.addRegistry(textOf(registry)));
      open(session);
      return new Analysis(session);
    } catch (error) {
      session.delete();
      throw error;
    }
  }

  #with(use) {
    const session = new this.#module.Session();
    try {
      return use(session);
    } finally {
      session.delete();
    }
  }

  #give(session, bytes, name) {
    const at = session.begin(bytes.length, name);
    this.#module.HEAPU8.set(bytes, at);
  }
}

class Analysis {
  #session;
  #columns;

  constructor(session) {
    this.#session = session;
    forgotten.register(this, session, this);
  }

  get columns() {
    if (!this.#columns) {
      const { json, ...numbers } = this.#session.columns();
      this.#columns = { ...JSON.parse(json), ...numbers };
    }
    return this.#columns;
  }

  get length() {
    return this.columns.index.length;
  }

  get headline() {
    return this.#frame().headline;
  }

  get summary() {
    return this.#frame().all;
  }

  get diagnostics() {
    return JSON.parse(this.#session.diagnostics(0, 0xffffffff)).items;
  }

  json() {
    return JSON.parse(this.#text('json'));
  }

  csv() {
    return this.#text('csv');
  }

  svg() {
    return this.#text('svg');
  }

  free() {
    forgotten.unregister(this);
    this.#session.delete();
  }

  #frame() {
    return JSON.parse(this.#session.frame().json);
  }

  #text(kind) {
    const decoder = new TextDecoder();
    let text = '';
    const fault = this.#session.write(
      kind,
      piece => {
        text += decoder.decode(piece.slice(), { stream: true });
      },
      0,
    );
    if (fault) throw wrong(fault);
    return text + decoder.decode();
  }
}

function bytesOf(input) {
  if (typeof input === 'string') return new TextEncoder().encode(input);
  if (input instanceof ArrayBuffer) return new Uint8Array(input);
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  throw new TypeError('expected text, an ArrayBuffer or a typed array of its bytes');
}

const textOf = input => (typeof input === 'string' ? input : new TextDecoder().decode(bytesOf(input)));
