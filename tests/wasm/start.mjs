// Starts the page's module from build/wasm/, in Node.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const built = name => new URL(`../../build/wasm/${name}`, import.meta.url);

export const startCore = () =>
  createRequire(import.meta.url)(built('roofline.js').pathname)({
    wasmBinary: readFileSync(built('roofline.wasm')),
    locateFile: file => file,
  });
