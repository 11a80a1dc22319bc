// A server under a sub-path that can go away and come back, and whose files can be others.
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { dist } from './browser.mjs';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' };
const BASE = '/some/where/';

export class Site {
  changed = {}; // name -> content in the place of the folder's
  asked = [];
  #server;
  #port = 0;

  constructor(folder = dist) {
    this.folder = folder;
  }

  get url() {
    return `http://127.0.0.1:${this.#port}${BASE}`;
  }

  async start() {
    this.#server = createServer((request, response) => {
      const name = decodeURIComponent(request.url.replace(/\?.*/, '')).replace(BASE, '') || 'index.html';
      this.asked.push(request.url);
      const path = join(this.folder, name);
      const known =
        !name.startsWith('/') && (this.changed[name] ?? statSync(path, { throwIfNoEntry: false })?.isFile());
      if (!known) return response.writeHead(404).end();
      response.writeHead(200, {
        'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
        'cache-control': 'max-age=600',
      });
      response.end(this.changed[name] ?? readFileSync(path));
    });
    await new Promise(resolve => this.#server.listen(this.#port, '127.0.0.1', resolve));
    this.#server.unref(); // a test that fails ends all the same
    this.#port = this.#server.address().port;
    return this;
  }

  stop() {
    this.#server.closeAllConnections();
    return new Promise(resolve => this.#server.close(resolve));
  }
}
