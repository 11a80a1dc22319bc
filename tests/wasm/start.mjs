// Starts the page's module from build/wasm/, in Node. Its second half joins when one of its functions is first called.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { start } from '../../wasm/start.mjs';

const built = name => new URL(`../../build/wasm/${name}`, import.meta.url);

export const startCore = () =>
  start(createRequire(import.meta.url)(built('roofline.js').pathname), readFileSync(built('core.wasm')), () =>
    readFileSync(built('rest.wasm')),
  );
