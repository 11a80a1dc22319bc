// The command, in WebAssembly: the same command line as the native one's, with Node's files, gzip and server.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { serve } from './serve.mjs';

const createCommand = createRequire(import.meta.url)('./command.cjs');

// The module closes what it has open when it ends, standard streams too; `serve` goes on and needs them.
const close = fs.closeSync;
fs.closeSync = descriptor => {
  if (descriptor > 2) close(descriptor);
};

/** Runs it to its end; the process's exit code is the command's. */
export async function runCommand(args) {
  let served = null;
  const status = await new Promise((resolve, reject) => {
    createCommand({
      arguments: args,
      wasmBinary: fs.readFileSync(new URL('./command.wasm', import.meta.url)),
      folder: fileURLToPath(new URL('./bin', import.meta.url)),
      serve: json => (served = JSON.parse(json)),
      onExit: resolve,
      // Older glue would end the process; newer glue does not and has no such option.
      quit(_, exit) {
        throw exit;
      },
    }).catch(reject);
  });
  process.exitCode = served && status === 0 ? await serve(served) : status;
}
