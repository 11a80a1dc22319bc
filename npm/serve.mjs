// The page on this machine's own address, with a file open and its changes followed: tools/cli/io/serve.cpp, in Node.
import { spawn } from 'node:child_process';
import { createReadStream, readFileSync, realpathSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { basename, dirname, extname, join, sep } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** What this server and the native command's have in common. */
const TABLE = JSON.parse(readFileSync(new URL('./serve.json', import.meta.url), 'utf8'));

const isFile = path => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** Serves until it is interrupted; the exit code. */
export async function serve({ file, registry, config, root, port, open: opens }) {
  const site = root || fileURLToPath(new URL('./dist', import.meta.url));
  if (!isFile(join(site, 'index.html')))
    return report(`${site}: no index.html there: expected the folder of the built page (--root names another)`);
  for (const path of [file, registry, config].filter(Boolean)) {
    const fault = await unreadable(path);
    if (fault) return report(`${path}: ${fault}`);
  }
  const watch = new Watch(watched(file, registry, config));
  const server = createServer({ requireHostHeader: false }, answers(realpathSync(site), watch));
  server.keepAliveTimeout = 1000;
  const bound = await new Promise(resolve => {
    server.once('error', () => resolve(0));
    server.listen({ host: TABLE.address, port, exclusive: true }, () => resolve(server.address().port));
  });
  if (!bound)
    return report(
      `port ${port} of ${TABLE.address} is in use or not permitted: expected a free one, which --port names (--port 0 takes any)`,
    );
  const url = `http://localhost:${bound}/`;
  process.stderr.write(`${url} shows ${file || 'the page'} (Ctrl-C ends)\n`);
  if (opens) openBrowser(url);
  await following(watch);
  server.close();
  server.closeAllConnections?.(); // Node 18.2
  return 0;
}

/**
 * Polls until a signal. ROOFLINE_CLOCK=stdin is for tests: a line of standard input takes the place of each interval, an empty line on standard
 * output says that the poll is done, and the end of the input ends it.
 */
async function following(watch) {
  if (process.env.ROOFLINE_CLOCK === 'stdin') {
    for await (const _ of createInterface({ input: process.stdin })) {
      watch.poll();
      process.stdout.write('\n');
    }
    return;
  }
  const timer = setInterval(() => watch.poll(), TABLE.poll_ms);
  await new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, resolve);
  });
  clearInterval(timer);
}

function report(message) {
  process.stderr.write(`${message}\n`);
  return 1;
}

async function unreadable(path) {
  try {
    const handle = await open(path);
    const folder = (await handle.stat()).isDirectory();
    await handle.close();
    return folder ? 'is a folder: expected a file' : '';
  } catch (error) {
    return `cannot be opened (${error.code}): expected a file that can be read`;
  }
}

/** A registry and a config that are not named are looked for beside the file, under their own names; they may come later. */
const watched = (file, registry, config) =>
  file
    ? [
        ['operations', file],
        ['registry', registry || join(dirname(file), TABLE.files.registry)],
        ['config', config || join(dirname(file), TABLE.files.config)],
      ]
    : [];

/** Files that are looked at from time to time. A change counts once a file has stayed as it is from one look to the next. */
class Watch {
  files;
  polls = 0;
  /** Functions that take what is to be sent to each open page. */
  listeners = new Set();

  constructor(roles) {
    this.files = roles.map(([role, path]) => {
      const stamp = look(path);
      return { role, path, seen: stamp.text, told: stamp.text, size: stamp.size, exists: stamp.exists, version: 1 };
    });
  }

  poll() {
    for (const file of this.files) {
      const now = look(file.path);
      if (now.text !== file.seen) {
        file.seen = now.text;
      } else if (now.text !== file.told) {
        file.told = now.text;
        Object.assign(file, { exists: now.exists, size: now.size, version: file.version + 1 });
        const { role, version } = file;
        this.send(`event: change\ndata: ${JSON.stringify({ role, version })}\n\n`);
      }
    }
    if (++this.polls % TABLE.polls_per_heartbeat === 0) this.send(': still here\n\n');
  }

  send(text) {
    for (const listener of this.listeners) listener(text);
  }
}

function look(path) {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  if (!stat?.isFile()) return { text: '', size: 0, exists: false };
  return { text: `${stat.size} ${stat.ino} ${stat.mtimeNs}`, size: Number(stat.size), exists: true };
}

const answers = (site, watch) => (request, response) => {
  for (const [name, value] of Object.entries(TABLE.headers)) response.setHeader(name, value);
  const refuse = status =>
    response
      .writeHead(status, { 'Content-Type': 'text/plain' })
      .end(request.method === 'HEAD' ? '' : TABLE.errors[status]);
  const { host = '', origin } = request.headers;
  if (!isLocalHost(host) || (origin !== undefined && !isLocalOrigin(origin))) return refuse(403);
  const path = pathOf(request.url);
  if (path === null || !['GET', 'HEAD'].includes(request.method)) return refuse(404);
  if (path === TABLE.routes.info) {
    const files = watch.files
      .filter(({ exists }) => exists)
      .map(({ role, path, size, version }) => ({ role, name: basename(path), size, version }));
    return response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ files }));
  }
  if (path === TABLE.routes.events) return follow(watch, response);
  const followed = watch.files.find(({ role }) => path === TABLE.routes.file + role);
  const file = followed?.path ?? pageFile(site, path);
  const stat = file && statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile()) return refuse(404);
  const type = (!followed && TABLE.types[extname(file)]) || 'application/octet-stream';
  response.writeHead(200, { 'Content-Type': type, 'Content-Length': stat.size });
  if (request.method === 'HEAD' || stat.size === 0) return response.end();
  createReadStream(file, { end: stat.size - 1 })
    .on('error', () => response.destroy())
    .pipe(response);
};

/** The names this machine has for itself, with any port. A page of another site whose name was made to resolve to 127.0.0.1 sends that name. */
const isLocalHost = host => /^(127\.0\.0\.1|localhost|\[::1\])(:\d*)?$/i.test(host);

/** A page of this machine's own, at any port. Browsers name the page that asks wherever it is not the one they ask for. */
const isLocalOrigin = origin => /^http:\/\//.test(origin) && isLocalHost(origin.slice(7));

function pathOf(url) {
  try {
    const path = decodeURIComponent(url.replace(/[?#].*/s, ''));
    return path.includes('\0') ? null : path;
  } catch {
    return null;
  }
}

/** The file inside the site that a path names, links followed. */
function pageFile(site, path) {
  try {
    const file = realpathSync(join(site, path.replace(/^\/+/, '') || 'index.html'));
    return file.startsWith(site + sep) ? file : null;
  } catch {
    return null;
  }
}

function follow(watch, response) {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const listener = text => response.write(text);
  listener(': following\n\n');
  watch.listeners.add(listener);
  response.on('close', () => watch.listeners.delete(listener));
}

function openBrowser(url) {
  const opener = { darwin: 'open', win32: 'explorer' }[process.platform] ?? 'xdg-open';
  if (opener === 'xdg-open' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return;
  spawn(opener, [url], { stdio: 'ignore', detached: true })
    .on('error', () => {}) // the address has been printed
    .unref();
}
