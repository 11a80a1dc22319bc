// The core's WebAssembly module and its session: how bytes and settings get in, and errors out.
import createRoofline from 'roofline-glue';
import type { CoreModule, Fault, Session } from '../../../wasm/session';
import type { InputFile } from './messages';
import { loadModulesBy, type ModuleLoader } from './on_demand';

export const MOST_BYTES = 1.5e9; // of a file read at once: the module has 4 GB

let module: CoreModule;
export let session: Session;
let settingsInForce: string | null = null;

/// `wasm`: the bytes of the module. `life`: a lock to hold for as long as the worker lives, by which the page notices its end; the answer
/// says whether it is held. `loader`: fetches the modules that are needed later.
export async function start(wasm: ArrayBuffer, life?: string, loader?: ModuleLoader): Promise<boolean> {
  loadModulesBy(loader);
  const held = life ? hold(life) : false;
  // Older glue needs locateFile: it asks for a base URL, which a worker made from a Blob does not have.
  // printErr: the page itself says that the core has stopped.
  module = await createRoofline({ wasmBinary: wasm, locateFile: file => file, printErr: () => {} });
  session = new module.Session();
  return held;
}

/// An answer shows that the worker is alive.
export function ping() {}

/// Puts the settings in force. An error leaves those before.
export function configure(config: string): Fault | null {
  if (config === settingsInForce) return null;
  const { error } = JSON.parse(session.configure(config)) as { error?: Fault };
  if (!error) settingsInForce = config;
  return error ?? null;
}

/// Gives a file's bytes, whole, to the session's next call.
export async function fill({ name, blob }: InputFile) {
  checkSize(blob.size);
  const start = session.begin(blob.size, name);
  const reader = blob.stream().getReader();
  for (let at = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return;
    module.HEAPU8.set(value, start + at);
    at += value.length;
  }
}

/// Gives a piece of a file to the session's feed().
export function feed(name: string, bytes: Uint8Array) {
  const start = session.begin(bytes.length, name);
  module.HEAPU8.set(bytes, start);
  const { error } = JSON.parse(session.feed()) as { error?: Fault };
  if (error) throw error;
}

/// Throws where so many bytes cannot be read whole.
export function checkSize(bytes: number) {
  if (bytes > MOST_BYTES)
    throw new Error(`has ${(bytes / 1e9).toFixed(1)} GB: expected at most ${MOST_BYTES / 1e9} GB`);
}

/// Converts an exception to an error to show. Rethrows a trap: the module is unusable then, and the page starts another.
export function fault(cause: unknown): Fault {
  if (cause instanceof WebAssembly.RuntimeError || cause instanceof RangeError) throw cause;
  if (typeof cause === 'object' && cause !== null && 'message' in cause && 'line' in cause) return cause as Fault;
  const message =
    cause instanceof DOMException
      ? `cannot be read (${cause.message}): expected a file`
      : cause instanceof Error
        ? cause.message
        : String(cause);
  return { message, line: 0, column: 0, path: '' };
}

/// Holds a lock for ever. Resolves once it is held; false where the browser forbids it.
function hold(life: string) {
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
