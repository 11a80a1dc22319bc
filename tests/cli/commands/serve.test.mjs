// roofline serve: what it answers, what it refuses, how changes arrive, how it ends. Everything holds for both servers, the native command's and
// Node's, which the npm package and tools/run have. Time passes by lines of the servers' standard input, so that no test waits for a clock.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { binary, folder as shared, repository } from '../command.mjs';

const SERVERS = { 'native command': [binary, 'serve'], Node: [process.execPath, join(repository, 'tools/serve.mjs')] };
const TABLE = JSON.parse(readFileSync(join(repository, 'npm/serve.json'), 'utf8'));

for (const [name, command] of Object.entries(SERVERS)) await suite(name, command);

async function suite(server_name, command) {
  const folder = mkdtempSync(join(shared, 'serve-'));
  const site = join(folder, 'site');
  const work = join(folder, 'work');
  const wasm = Buffer.alloc(600_000, 7);

  function write_site() {
    mkdirSync(join(site, 'assets'), { recursive: true });
    mkdirSync(work);
    writeFileSync(join(site, 'index.html'), '<!doctype html><title>page</title>');
    writeFileSync(join(site, 'app.js'), 'let x = 1;');
    writeFileSync(join(site, 'app.css'), 'p {}');
    writeFileSync(join(site, 'empty.js'), '');
    writeFileSync(join(site, 'licences.txt'), 'MIT');
    writeFileSync(join(site, 'unknown.xyz'), '?');
    writeFileSync(join(site, 'assets', 'roofline.wasm'), wasm);
    writeFileSync(join(site, 'assets', 'a b.svg'), '<svg/>');
    writeFileSync(join(folder, 'secret.txt'), 'secret');
    symlinkSync(join(folder, 'secret.txt'), join(site, 'link.txt'));
    symlinkSync(folder, join(site, 'out'));
    mkdirSync(join(folder, 'site-of-others')); // begins like the page's folder, and is not it
    writeFileSync(join(folder, 'site-of-others', 'x.txt'), 'secret');
    writeFileSync(join(work, 'commands.json'), '[]');
  }

  /// A running server, whose clock is the system's: { port, stop(signal) -> { code, out } }. With ROOFLINE_CLOCK there is tick(), which resolves once
  /// the server has looked at its files.
  async function serve(args, env = {}) {
    const [program, ...first] = command;
    const child = spawn(program, [...first, ...args, '--root', site, '--port', '0', '--no-open'], {
      cwd: folder,
      env: { ...process.env, ...env },
    });
    let err = '';
    let out = '';
    const polled = [];
    createInterface({ input: child.stdout }).on('line', line => {
      out += line;
      polled.shift()?.();
    });
    const ended = new Promise(done => child.on('exit', (code, signal) => done({ code, signal })));
    const port = await new Promise((found, failed) => {
      child.stderr.on('data', data => {
        err += data;
        const match = /http:\/\/localhost:(\d+)\//.exec(err);
        if (match) found(Number(match[1]));
      });
      ended.then(() => failed(new Error(`serve ended: ${err}`)));
    });
    return {
      port,
      tick: () =>
        new Promise(done => {
          polled.push(done);
          child.stdin.write('\n');
        }),
      async stop(signal) {
        if (signal) child.kill(signal);
        else child.stdin.end();
        return { ...(await ended), out, err };
      },
    };
  }

  const by_lines = { ROOFLINE_CLOCK: 'stdin' };

  /// The command run to its end.
  function refused(args) {
    const [program, ...first] = command;
    const { status, stdout, stderr } = spawnSync(program, [...first, ...args, '--no-open'], {
      cwd: folder,
      encoding: 'utf8',
    });
    return { status, out: stdout, err: stderr };
  }

  /// A connection that is idle for a second is closed, and on a busy machine a second may pass before a request is on it: it goes out again.
  function get(port, path, options = {}, attempts = 5) {
    return new Promise((done, failed) => {
      const request = http.request({ host: '127.0.0.1', port, path, ...options }, response => {
        const pieces = [];
        response.on('data', piece => pieces.push(piece));
        response.on('end', () =>
          done({ status: response.statusCode, headers: response.headers, body: Buffer.concat(pieces) }),
        );
      });
      request.on('error', error => {
        if (error.code === 'ECONNRESET' && attempts > 1) get(port, path, options, attempts - 1).then(done, failed);
        else failed(error);
      });
      request.end();
    });
  }

  /// An open event stream: next() is the next change or comment, null after the end.
  async function follow(port) {
    const blocks = [];
    let wake = () => {};
    let text = '';
    let ended = false;
    const request = http.request({
      host: '127.0.0.1',
      port,
      path: '/live/events',
      headers: { 'Accept-Encoding': 'br, gzip' },
    });
    request.end();
    const response = await new Promise((opened, failed) => request.on('response', opened).on('error', failed));
    request.on('error', () => {});
    response.on('error', () => {});
    response.on('close', () => {
      ended = true;
      wake();
    });
    response.on('data', piece => {
      text += piece;
      blocks.push(...text.split('\n\n'));
      text = blocks.pop();
      wake();
    });
    const next = async () => {
      while (blocks.length === 0 && !ended) await new Promise(done => (wake = done));
      const block = blocks.shift() ?? null;
      const [, data] = /^event: change\ndata: (.*)$/.exec(block) ?? [];
      return data ? JSON.parse(data) : block;
    };
    assert.equal(await next(), ': following');
    return { headers: response.headers, next, close: () => request.destroy() };
  }

  write_site();
  const file = join(work, 'commands.json');
  const server = await serve([file], by_lines);
  const { port } = server;

  await test(`${server_name}: the page and its content types`, async () => {
    for (const [path, type] of [
      ['/', 'text/html; charset=utf-8'],
      ['/index.html', 'text/html; charset=utf-8'],
      ['/app.js', 'text/javascript; charset=utf-8'],
      ['/app.css', 'text/css; charset=utf-8'],
      ['/licences.txt', 'text/plain; charset=utf-8'],
      ['/unknown.xyz', 'application/octet-stream'],
      ['/assets/roofline.wasm', 'application/wasm'],
      ['/assets/a%20b.svg', 'image/svg+xml'],
      ['/app.js?v=1', 'text/javascript; charset=utf-8'],
    ]) {
      const answer = await get(port, path, { headers: { 'Accept-Encoding': 'br, gzip' } });
      assert.equal(answer.status, 200, path);
      assert.equal(answer.headers['content-type'], type, path);
      assert.equal(answer.headers['cache-control'], 'no-store', path);
      assert.equal(answer.headers['x-content-type-options'], 'nosniff', path);
      assert.equal(answer.headers['content-encoding'], undefined, `${path} is compressed, at seconds per megabyte`);
    }
    assert.equal((await get(port, '/')).body.toString(), '<!doctype html><title>page</title>');
    assert.ok((await get(port, '/assets/roofline.wasm')).body.equals(wasm));
    const empty = await get(port, '/empty.js');
    assert.deepEqual([empty.status, empty.body.length], [200, 0]);
    const head = await get(port, '/app.js', { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers['content-length'], head.body.length], [200, '10', 0]);
  });

  await test(`${server_name}: nothing outside the page folder`, async () => {
    for (const path of [
      '/../secret.txt',
      '/%2e%2e/secret.txt',
      '/..%2fsecret.txt',
      '/assets/../../secret.txt',
      '/%2e%2e%2fsecret.txt',
      '//etc/passwd',
      '/%2fetc%2fpasswd',
      '/link.txt',
      '/out/secret.txt',
      '/../site-of-others/x.txt',
      '/..\\secret.txt',
      '/app.js%00.html',
      '/assets',
      '/nothing.js',
      '/live',
      '/live/file/../info',
      '/live/file/passwd',
      '/live/file/',
      '/live/nothing',
    ]) {
      const answer = await get(port, path);
      assert.ok([400, 404].includes(answer.status), `${path}: ${answer.status}`);
      assert.ok(!answer.body.includes('secret') && !answer.body.includes('root:'), path);
      assert.equal(answer.headers['cache-control'], 'no-store', path);
    }
    assert.equal((await get(port, '/app.js', { method: 'POST' })).status, 404);
  });

  await test(`${server_name}: only requests for this machine`, async () => {
    for (const host of [
      'localhost',
      `localhost:${port}`,
      'LocalHost:1',
      '127.0.0.1',
      `127.0.0.1:${port}`,
      '[::1]',
      '[::1]:99',
    ]) {
      assert.equal((await get(port, '/', { headers: { Host: host } })).status, 200, host);
    }
    for (const host of [
      'evil.example',
      'evil.example:8080',
      '127.0.0.1.evil.example',
      'localhost.evil.example',
      'xlocalhost',
      '127.0.0.2',
      '127.0.0.1:80:90',
      'evil.example:80@localhost',
      undefined,
    ]) {
      for (const path of ['/', '/live/info', '/live/file/operations', '/live/events', '/nothing']) {
        assert.equal(
          (await get(port, path, host ? { headers: { Host: host } } : { setHost: false })).status,
          403,
          `${host} ${path}`,
        );
      }
    }
  });

  await test(`${server_name}: only requests of its own page, or of nobody`, async () => {
    for (const origin of [
      `http://localhost:${port}`,
      `http://127.0.0.1:${port}`,
      'http://[::1]:99',
      'http://LOCALHOST',
    ])
      assert.equal((await get(port, '/live/info', { headers: { Origin: origin } })).status, 200, origin);
    for (const origin of [
      'https://evil.example',
      'http://localhost.evil.example',
      'http://evil.example:80@localhost',
      'https://localhost.',
      'null',
    ])
      for (const path of ['/', '/live/info', '/live/file/operations', '/live/events'])
        assert.equal((await get(port, path, { headers: { Origin: origin } })).status, 403, `${origin} ${path}`);
    const answer = await get(port, '/live/file/operations');
    assert.equal(answer.headers['cross-origin-resource-policy'], 'same-origin');
    assert.equal(answer.headers['access-control-allow-origin'], undefined);
  });

  const one_address = process.platform === 'darwin' && 'macOS has 127.0.0.1 alone';
  await test(`${server_name}: binds to 127.0.0.1 only`, { skip: one_address }, async () => {
    await assert.rejects(
      new Promise((done, failed) => {
        http.get({ host: '127.0.0.2', port, path: '/', headers: { Host: 'localhost' } }, done).on('error', failed);
      }),
      /ECONNREFUSED/,
    );
  });

  await test(`${server_name}: /live/info and /live/file`, async () => {
    const info = await get(port, '/live/info');
    assert.equal(info.headers['content-type'], 'application/json');
    assert.deepEqual(JSON.parse(info.body), {
      files: [{ role: 'operations', name: 'commands.json', size: 2, version: 1 }],
    });
    const answer = await get(port, '/live/file/operations');
    assert.deepEqual([answer.status, answer.body.toString(), answer.headers['cache-control']], [200, '[]', 'no-store']);
    assert.equal((await get(port, '/live/file/registry')).status, 404);
  });

  const stream = await follow(port);
  /// Two looks at the same state make a change; what is next on the stream is that change and nothing else.
  const change = async (role, version, act) => {
    act();
    await server.tick();
    await server.tick();
    assert.deepEqual(await stream.next(), { role, version });
  };

  await test(`${server_name}: events are a plain, uncompressed stream`, () => {
    assert.equal(stream.headers['content-type'], 'text/event-stream');
    assert.equal(stream.headers['content-encoding'], undefined);
    assert.equal(stream.headers['cache-control'], 'no-store');
  });

  await test(`${server_name}: a write in place arrives`, async () => {
    await change('operations', 2, () => writeFileSync(file, '[1]'));
    assert.equal((await get(port, '/live/file/operations')).body.toString(), '[1]');
    assert.equal(JSON.parse((await get(port, '/live/info')).body).files[0].size, 3);
  });

  await test(`${server_name}: a file put in its place arrives, even of the same size and time`, async () => {
    await change('operations', 3, () => {
      writeFileSync(join(work, 'new.json'), '[2]');
      renameSync(join(work, 'new.json'), file);
    });
    assert.equal((await get(port, '/live/file/operations')).body.toString(), '[2]');
  });

  await test(`${server_name}: registry and config appear, change and disappear`, async () => {
    await change('registry', 2, () => writeFileSync(join(work, 'op_registry.json'), '{"ops":{}}'));
    assert.equal((await get(port, '/live/file/registry')).body.toString(), '{"ops":{}}');
    await change('config', 2, () => writeFileSync(join(work, 'roofline_config.json'), '{}'));
    await change('config', 3, () => writeFileSync(join(work, 'roofline_config.json'), '{ }'));
    assert.deepEqual(
      JSON.parse((await get(port, '/live/info')).body).files.map(f => [f.role, f.version]),
      [
        ['operations', 3],
        ['registry', 2],
        ['config', 3],
      ],
    );
    await change('registry', 3, () => rmSync(join(work, 'op_registry.json')));
    assert.equal((await get(port, '/live/file/registry')).status, 404);
  });

  await test(`${server_name}: a file being written is not passed on in pieces`, async () => {
    for (let i = 0; i < 12; ++i) {
      writeFileSync(file, '[' + ' '.repeat(1000 * i) + ']');
      await server.tick();
    }
    await server.tick();
    assert.deepEqual(await stream.next(), { role: 'operations', version: 4 });
  });

  await test(`${server_name}: no change, no event; a heartbeat every fifteen seconds`, async () => {
    assert.equal(TABLE.poll_ms * TABLE.polls_per_heartbeat, 15_000);
    for (let beat = 0; beat < 2; ++beat) {
      for (let i = 0; i < TABLE.polls_per_heartbeat; ++i) await server.tick();
      assert.equal(await stream.next(), ': still here'); // two that are due at once may come as one
    }
  });

  await test(`${server_name}: a large file comes whole, and many pages can listen`, async () => {
    const large = Buffer.alloc(20_000_000, 'x');
    await change('operations', 5, () => writeFileSync(file, large));
    const streams = await Promise.all(Array.from({ length: 20 }, () => follow(port)));
    assert.ok((await get(port, '/live/file/operations')).body.equals(large));
    for (const other of streams) other.close();
  });

  /// A connection that sends this and then does as it likes.
  const connected = text =>
    new Promise((done, failed) => {
      const socket = net.connect(port, '127.0.0.1', () => {
        socket.write(text);
        done(socket);
      });
      socket.on('error', failed);
    });

  await test(`${server_name}: slow and broken clients hold up nobody`, async () => {
    const clients = await Promise.all([
      ...Array.from({ length: 30 }, () => connected('GET / HTTP/1.1\r\nHost: loc')), // never goes on
      ...Array.from({ length: 10 }, () => connected('GET /live/file/operations HTTP/1.1\r\nHost: localhost\r\n\r\n')), // does not read
      connected('\0\x16\x03\x01 no HTTP at all\r\n\r\n'),
      connected(`GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`),
      connected('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n'),
    ]);
    for (const client of clients) {
      client.on('error', () => {});
      client.pause();
    }
    assert.equal((await get(port, '/app.js')).status, 200);
    for (const client of clients) client.destroy();
    for (let i = 0; i < 50; ++i)
      (await connected('GET /assets/roofline.wasm HTTP/1.1\r\nHost: localhost\r\n\r\n')).destroy();
    assert.ok((await get(port, '/assets/roofline.wasm')).body.equals(wasm));
  });

  await test(`${server_name}: thousands of requests while the file changes: each answer is whole, no change is lost`, async () => {
    const version = i => `[${String(i).repeat(50_000)}]`;
    const agent = new http.Agent({ keepAlive: true, maxSockets: 24 });
    const replace = i => {
      writeFileSync(join(work, 'next.json'), version(i));
      renameSync(join(work, 'next.json'), file);
    };
    await change('operations', 6, () => replace(0));
    const [first] = JSON.parse((await get(port, '/live/info')).body).files;
    let answered = 0;
    let changing = true;
    const ask = async () => {
      while (changing || answered < 3000) {
        const { status, body } = await get(port, answered % 2 ? '/live/file/operations' : '/app.js', { agent });
        assert.equal(status, 200);
        const text = body.toString();
        assert.ok(text === 'let x = 1;' || text === version(text[1]), 'an answer of two versions');
        ++answered;
      }
    };
    const asked = Promise.all(Array.from({ length: 24 }, ask));
    asked.catch(() => {}); // reported below, once the changes are through
    try {
      for (let i = 1; i < 9; ++i) await change('operations', first.version + i, () => replace(i));
    } finally {
      changing = false;
    }
    await asked;
    agent.destroy();
    assert.equal((await get(port, '/live/file/operations')).body.toString(), version(8));
  });

  await test(`${server_name}: where time ends, streams end, and nothing more is on them`, async () => {
    assert.equal((await server.stop()).code, 0);
    assert.equal(await stream.next(), null);
  });

  await test(`${server_name}: by the system's clock a change arrives; a signal ends it with streams and connections open`, async () => {
    const timed = await serve([file]);
    const agent = new http.Agent({ keepAlive: true });
    const open = await follow(timed.port);
    await get(timed.port, '/', { agent }); // leaves a connection open
    writeFileSync(file, '[9]');
    assert.deepEqual(await open.next(), { role: 'operations', version: 2 });
    const { code, out } = await timed.stop('SIGTERM');
    agent.destroy();
    assert.deepEqual([code, out], [0, '']); // standard output stays empty
    assert.equal(await open.next(), null);
  });

  await test(`${server_name}: without FILE there is nothing live; Ctrl-C ends it`, async () => {
    const plain = await serve([]);
    const { status, body } = await get(plain.port, '/live/info');
    assert.deepEqual([status, JSON.parse(body)], [200, { files: [] }]);
    assert.equal((await get(plain.port, '/live/file/operations')).status, 404);
    const index = await get(plain.port, '/');
    assert.deepEqual([index.status, index.headers['server-timing']], [200, 'roofline-serve']);
    assert.equal((await plain.stop('SIGINT')).code, 0);
  });

  await test(`${server_name}: a registry and a config that are named, wherever they are`, async () => {
    writeFileSync(join(folder, 'mine.json'), '{"ops": {}}');
    const named = await serve([file, '--registry', 'mine.json'], by_lines);
    assert.deepEqual(
      JSON.parse((await get(named.port, '/live/info')).body).files.map(f => f.name),
      ['commands.json', 'mine.json', 'roofline_config.json'],
    );
    await named.stop();
  });

  await test(`${server_name}: a file in the folder one is in`, async () => {
    writeFileSync(join(folder, 'here.json'), '[]');
    const here = await serve(['here.json'], by_lines);
    assert.equal((await get(here.port, '/live/file/operations')).body.toString(), '[]');
    await here.stop();
  });

  await test(`${server_name}: a port that is taken`, async () => {
    const first = await serve([], by_lines);
    const second = refused(['--root', site, '--port', String(first.port)]);
    await first.stop();
    assert.equal(second.status, 1);
    assert.equal(second.out, '');
    assert.match(second.err, new RegExp(`port ${first.port} of 127.0.0.1 is in use .*--port`));
  });

  await test(`${server_name}: no page, no file, a folder`, () => {
    const no_page = refused(['--root', work]);
    assert.deepEqual([no_page.status, no_page.out], [1, '']);
    assert.match(no_page.err, /work: no index\.html there: expected .*--root/);
    for (const name of ['nothing.json', 'work']) {
      const result = refused([name, '--root', site]);
      assert.deepEqual([result.status, result.out], [1, '']);
      assert.match(result.err, new RegExp(`^${name}: `));
    }
    assert.equal(refused(['--registry', 'mine.json', '--root', site]).status, 2);
    assert.equal(refused(['-', '--root', site]).status, 2);
    assert.equal(refused(['--port', '70000', '--root', site]).status, 2);
  });
}
