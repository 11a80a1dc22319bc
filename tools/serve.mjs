// The page on this machine by Node's server (npm/serve.mjs), which needs no compiled command: node tools/serve.mjs [FILE] and the options of
// `roofline serve`. tools/run calls it.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { serve } from '../npm/serve.mjs';

const USAGE = '[FILE] [--registry FILE] [--config FILE] [--port N] [--no-open] [--root DIR]';

function optionsOf(args) {
  const text = { type: 'string' };
  const options = { registry: text, config: text, port: text, root: text, 'no-open': { type: 'boolean' } };
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [file, ...others] = positionals;
  const port = Number(values.port ?? 8080);
  if (others.length) throw new Error(`${others[0]}: expected one file`);
  if (file === '-') throw new Error('standard input cannot be followed: expected a file');
  if (!file && (values.registry || values.config)) throw new Error('--registry and --config belong to a FILE');
  if (!(Number.isInteger(port) && port >= 0 && port < 65536))
    throw new Error(`--port ${values.port}: expected 0 to 65535`);
  const root = values.root ?? fileURLToPath(new URL('../dist', import.meta.url));
  return { file, registry: values.registry, config: values.config, root, port, open: !values['no-open'] };
}

let options;
try {
  options = optionsOf(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error.message}\nusage: ${USAGE}\n`);
}
process.exitCode = options ? await serve(options) : 2;
