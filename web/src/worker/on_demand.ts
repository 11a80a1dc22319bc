// WebAssembly modules that are fetched when they are first needed: wasm/on_demand.hpp has what they all export.
import type { Fault } from '../../../wasm/session';

interface Common {
  memory: WebAssembly.Memory;
  _initialize?: () => void;
  reserve(size: number): number;
  answer(): number;
  answer_size(): number;
}

/** Fetches a module by its file's name. */
export type ModuleLoader = (file: string) => Promise<ArrayBuffer>;

let load: ModuleLoader | undefined;

/// Without a loader there are no such modules.
export function loadModulesBy(loader?: ModuleLoader) {
  load = loader;
}

/** Whether modules can be fetched. */
export const canLoad = () => load !== undefined;

/** A running module: bytes in, a call, bytes out. */
class RunningModule<Calls> {
  constructor(readonly exports: Calls & Common) {}

  get memory() {
    return this.exports.memory.buffer;
  }

  /** Writes parts, one after the other, for the next call. */
  put(...parts: Uint8Array[]) {
    let at = this.exports.reserve(parts.reduce((sum, part) => sum + part.length, 0));
    for (const part of parts) {
      new Uint8Array(this.memory).set(part, at);
      at += part.length;
    }
  }

  /** A copy of the last call's answer. */
  answer() {
    const at = this.exports.answer();
    return new Uint8Array(this.memory).slice(at, at + this.exports.answer_size());
  }

  /** The answer as JSON. Throws the fault that it is. */
  json(): unknown {
    const answer = JSON.parse(new TextDecoder().decode(this.answer())) as { error?: Fault };
    if (answer.error) throw answer.error;
    return answer;
  }
}

/// Of workers: reads at once what it is asked for.
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

/** What a module imports that reads a file by ranges (wasm/open_file.hpp). */
export function rangesOf(file: () => Blob, memory: () => ArrayBuffer): WebAssembly.ModuleImports {
  const reader = new FileReaderSync();
  return {
    read(offset: number, to: number, bytes: number) {
      try {
        const range = reader.readAsArrayBuffer(file().slice(offset, offset + bytes));
        new Uint8Array(memory()).set(new Uint8Array(range), to);
        return range.byteLength === bytes ? 1 : 0;
      } catch {
        return 0; // the file has changed or is gone
      }
    },
  };
}

/**
 * Starts a module at the first call, and gives the same one from then on. `page`: functions that the module imports; `memory` is its own.
 */
export function onDemand<Calls>(
  file: string,
  page: (memory: () => ArrayBuffer) => WebAssembly.ModuleImports = () => ({}),
): () => Promise<RunningModule<Calls>> {
  let started: Promise<RunningModule<Calls>> | undefined;
  const start = async () => {
    let running: RunningModule<Calls> | undefined;
    // The C++ library's own imports do nothing: there are no files and no console.
    const nothing = new Proxy({}, { get: () => () => 0, has: () => true }) as WebAssembly.ModuleImports;
    const { instance } = await WebAssembly.instantiate(await load!(file), {
      env: nothing,
      wasi_snapshot_preview1: nothing,
      page: page(() => running!.memory),
    });
    running = new RunningModule(instance.exports as unknown as Calls & Common);
    running.exports._initialize?.();
    return running;
  };
  return () =>
    (started ??= start().catch((error: unknown) => {
      started = undefined; // the next call tries again
      throw error;
    }));
}
