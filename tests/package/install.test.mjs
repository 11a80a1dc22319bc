// What `cmake --install` puts in place: the command finds its page, and another project finds the library. After tools/build native.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const build = join(root, 'build/native');
const folder = mkdtempSync(join(tmpdir(), 'roofline-install-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const prefix = join(folder, 'prefix');
execFileSync('cmake', ['--install', build, '--prefix', prefix], { stdio: 'ignore' });
const sample = join(root, 'presets/samples/resnet-50-synthetic.json');
const installed = join(prefix, 'bin/roofline');

test('the command, its page and its manual', () => {
  assert.match(execFileSync(installed, ['--version'], { encoding: 'utf8' }), /^roofline \d/);
  const manual = readFileSync(join(prefix, 'share/man/man1/roofline.1'), 'utf8');
  const help = execFileSync(installed, ['--help'], { encoding: 'utf8' });
  const commands = [...help.slice(help.indexOf('Subcommands:')).matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name);
  assert.ok(commands.length >= 8);
  for (const name of commands) assert.match(manual, new RegExp(`\\b${name}\\b`), `the manual lacks ${name}`);
  assert.ok(existsSync(join(prefix, 'share/roofline/index.html')));
  const { status, stdout } = spawnSync(installed, ['analyze', sample, '-o', 'html'], { maxBuffer: 1 << 28 });
  assert.equal(status, 0);
  assert.ok(stdout.includes('"file":"resnet-50-synthetic.json"'));
});

test('find_package(roofline): the example links and runs', () => {
  const example = join(folder, 'example');
  const [, generator] = /^CMAKE_GENERATOR:INTERNAL=(.*)$/m.exec(readFileSync(join(build, 'CMakeCache.txt'), 'utf8'));
  const configure = ['-S', join(root, 'examples/cpp'), '-B', example, '-G', generator, `-DCMAKE_PREFIX_PATH=${prefix}`];
  execFileSync('cmake', configure, { stdio: ['ignore', 'ignore', 'inherit'] });
  execFileSync('cmake', ['--build', example], { stdio: ['ignore', 'ignore', 'inherit'] });
  const out = execFileSync(join(example, 'slowest'), [sample, 't4'], { encoding: 'utf8' });
  const rows = JSON.parse(
    execFileSync(installed, ['analyze', sample, '--machine', 't4', '--top', '3', '-o', 'json'], { encoding: 'utf8' }),
  ).ops.sort((a, b) => b.lost_time_s - a.lost_time_s);
  assert.deepEqual(
    out
      .trim()
      .split('\n')
      .map(line => line.replace(/ loses .*; bound by (.*)$/, ' $1')),
    rows.map(({ name, bound_by }) => `${name} ${bound_by}`),
  );
});

test('Debian packages', { skip: spawnSync('dpkg-deb', ['--version']).status !== 0 && 'no dpkg-deb' }, () => {
  const packages = join(folder, 'packages');
  execFileSync('cpack', ['--config', join(build, 'CPackConfig.cmake'), '-B', packages], { stdio: 'ignore' });
  const made = execFileSync('find', [packages, '-maxdepth', '1', '-name', '*.deb'], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .sort();
  assert.equal(made.length, 2);
  const contents = made.map(file =>
    execFileSync('dpkg-deb', ['--contents', file], { encoding: 'utf8', maxBuffer: 1 << 26 }),
  );
  assert.match(contents[0], /\.\/usr\/lib.*\/cmake\/roofline\/roofline-config\.cmake/);
  assert.match(contents[1], /\.\/usr\/bin\/roofline\n/);
  assert.match(contents[1], /\.\/usr\/share\/roofline\/roofline\.html\n/);
  assert.ok(!contents[1].includes('/include/'));
  const about = execFileSync('dpkg-deb', ['--info', made[1]], { encoding: 'utf8' });
  assert.match(about, /Package: roofline\n/);
});
