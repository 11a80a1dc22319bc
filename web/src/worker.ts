// The worker: runs the WebAssembly module, so that the core never blocks the page.
import { expose } from 'comlink';
import { core } from './worker/core';

expose(core);
