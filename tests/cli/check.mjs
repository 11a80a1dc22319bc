// What the tests of the command share: running it, and counting what passed.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = resolve(fileURLToPath(import.meta.url), '../../..');
export const binary = resolve(process.argv[2] ?? join(repository, 'build/native/roofline'));
export const folder = mkdtempSync(join(tmpdir(), 'roofline-cli-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

let passed = 0;
let failed = 0;

export async function test(name, body) {
  try {
    await body();
    ++passed;
  } catch (error) {
    ++failed;
    console.log(`FAILED ${name}\n    ${String(error.message ?? error).replaceAll('\n', '\n    ')}`);
  }
}

/// Prints the counts; the exit code says whether all passed.
export function finish() {
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

/// The command run to its end: { status, out, err }.
export function roofline(args, { input = '', ...options } = {}) {
  const result = spawnSync(binary, args, { cwd: folder, input, encoding: 'utf8', maxBuffer: 1 << 30, timeout: 60_000, ...options });
  if (result.error && result.error.code !== 'EPIPE') throw result.error;  // a command may end without reading its input
  return { status: result.status, signal: result.signal, out: result.stdout, err: result.stderr };
}

export function start(args, options = {}) {
  return spawn(binary, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], ...options });
}

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
