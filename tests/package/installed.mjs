// The npm package as somebody gets it: its tarball, installed in an empty folder. After tools/build native wasm command page npm.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const built = fileURLToPath(new URL('../../build/npm', import.meta.url));
const tarball = existsSync(built) && readdirSync(built).find(name => name.endsWith('.tgz'));

export const isBuilt = Boolean(tarball);

/// The folder, which goes with the test.
export function installed() {
  const folder = mkdtempSync(join(tmpdir(), 'roofline-npm-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}');
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', join(built, tarball)], {
    cwd: folder,
  });
  return folder;
}

export const commandOf = folder => join(folder, 'node_modules/.bin/roofline');

/// `COMMAND serve ARGS`, once it answers: its address, and stop(), which resolves to its exit code. It ends with the test at the latest.
export async function served(t, command, args) {
  const child = spawn(command, ['serve', ...args, '--port', '0', '--no-open'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise(resolve => child.on('exit', resolve));
  t.after(() => child.kill());
  let said = '';
  const url = await new Promise((found, failed) => {
    child.stderr.on('data', text => {
      said += text;
      const match = /http:\/\/localhost:(\d+)\//.exec(said);
      if (match) found(`http://127.0.0.1:${match[1]}/`); // Node 18 would try localhost's first address alone
    });
    void ended.then(() => failed(new Error(`it ended: ${said}`)));
  });
  return { url, stop: () => child.kill('SIGTERM') && ended };
}
