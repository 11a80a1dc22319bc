// What the tests of the command share: running it, in a folder of its own. ROOFLINE is the command's path.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { validate } from './schemas.mjs';

export const repository = resolve(fileURLToPath(import.meta.url), '../../..');
export const binary = resolve(process.env.ROOFLINE ?? join(repository, 'build/native/roofline'));
export const folder = mkdtempSync(join(tmpdir(), 'roofline-cli-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

// A file of tests that waits for what never comes ends here, by its name, and not with the whole suite.
const MINUTES_PER_FILE = 15;
setTimeout(() => {
  process.stderr.write(`${process.argv[1]}: not done after ${MINUTES_PER_FILE} minutes\n`);
  process.exit(1);
}, MINUTES_PER_FILE * 60_000).unref();

export const put = (name, content) => writeFileSync(join(folder, name), content);

/// The command run to its end: { status, out, err }. Whatever document it prints is what its schema says.
export function roofline(args, { input = '', ...options } = {}) {
  const result = spawnSync(binary, args, {
    cwd: folder,
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    timeout: 60_000,
    ...options,
  });
  if (result.error && result.error.code !== 'EPIPE') throw result.error; // a command may end without reading its input
  const document = /"schema": ?"roofline-[a-z-]+\/\d+"/.test(result.stdout.slice(0, 200))
    ? parsed(result.stdout)
    : undefined;
  if (document?.schema) validate(binary, document);
  return { status: result.status, signal: result.signal, out: result.stdout, err: result.stderr };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // cut short, or another form
  }
}

/// The command ends with `status`, says why, and writes nothing to standard output.
export function refused(status, args, message, options) {
  const result = roofline(args, options);
  assert.equal(result.status, status, `${args.join(' ')}: status ${result.status}, ${result.err}`);
  assert.equal(result.out, '', args.join(' '));
  assert.match(result.err, message);
  return result;
}
