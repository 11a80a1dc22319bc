// Starts the page's modules from build/wasm/, in Node.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const built = name => new URL(`../../build/wasm/${name}`, import.meta.url);

export const startCore = () =>
  createRequire(import.meta.url)(built('roofline.js').pathname)({
    wasmBinary: readFileSync(built('roofline.wasm')),
    locateFile: file => file,
  });

/** One of the modules that the page fetches on demand, with put() and answer() as in web/src/worker/on_demand.ts. It reads `file` by ranges. */
export async function startOnDemand(name, file = Buffer.alloc(0)) {
  const nothing = new Proxy({}, { get: () => () => 0, has: () => true });
  const read = (offset, to, bytes) => {
    const range = file.subarray(offset, offset + bytes);
    new Uint8Array(calls.memory.buffer).set(range, to);
    return range.length === bytes ? 1 : 0;
  };
  const imports = { env: nothing, wasi_snapshot_preview1: nothing, page: { read } };
  const { instance } = await WebAssembly.instantiate(readFileSync(built(name)), imports);
  const calls = instance.exports;
  calls._initialize?.();
  const put = (...parts) => {
    const bytes = Buffer.concat(parts.map(part => Buffer.from(part)));
    const at = calls.reserve(bytes.length); // memory may grow here
    new Uint8Array(calls.memory.buffer).set(bytes, at);
  };
  const answer = () => Buffer.from(calls.memory.buffer, calls.answer(), calls.answer_size()).toString();
  return { calls, put, answer };
}
