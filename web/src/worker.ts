// The worker: owns the WebAssembly module, so that nothing the core does can block the page.
import { expose } from 'comlink';
import { core } from './worker/core';

expose(core);
