// A static server for the built page, a headless browser, and a count of what held.
import { createReadStream, existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const dist = process.env.DIST ?? join(root, 'dist');
export const fromWeb = createRequire(join(root, 'web/package.json'));
const { chromium } = fromWeb('playwright-core');

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.json': 'application/json' };

/// Serves the page under a sub-path, as a project site would. `live` answers the routes of `roofline serve`.
export async function serve(live = null) {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://x').pathname);
    if (!path.startsWith('/sub/path/')) return void response.writeHead(404).end();
    const name = path.slice('/sub/path/'.length) || 'index.html';
    if (name.startsWith('live/')) return live ? live(name, response) : void response.writeHead(204).end();
    const file = join(dist, normalize(name));
    if (!file.startsWith(dist) || !(await stat(file).catch(() => null))?.isFile()) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/sub/path/`, close: () => server.close(() => {}) && server.closeAllConnections() };
}

export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--enable-precise-memory-info'] });

/// One page under test, with what the browser complained about.
export class Page {
  static async open(browser, url, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, acceptDownloads: true, ...options });
    const page = await context.newPage();
    const self = new Page(page, context);
    page.on('console', message => message.type() === 'error' && self.complaints.push(message.text()));
    page.on('pageerror', error => self.complaints.push(String(error)));
    if (options.init) await page.addInitScript(options.init);
    if (options.route) await page.route(...options.route);
    await page.goto(url, { waitUntil: options.wait === false ? 'commit' : 'load' });
    if (options.wait !== false) await self.painted();
    return self;
  }

  constructor(page, context) {
    Object.assign(this, { page, context, complaints: [] });
  }

  close() {
    return this.context.close();
  }

  /// The number of the frame that the chart shows; 0 where another view stands in its place.
  revision() {
    return this.page.evaluate(() => Number(document.querySelector('.chart canvas')?.dataset.painted ?? 0));
  }

  async painted() {
    await this.page.waitForFunction(() => document.querySelector('.chart canvas')?.dataset.painted > 0 && document.querySelector('.diagnosis'), null, { timeout: 30_000 });
    await this.page.locator('main[aria-busy="false"]').waitFor({ timeout: 30_000 });  // the core has answered
    await this.settled();
  }

  /// Until nothing changes any more: the chart's frame is also that of the table, and no newer one comes.
  async settled() {
    const state = async () => [await this.revision(), await this.page.evaluate(() => Number(document.querySelector('main')?.dataset.revision ?? 0))];
    for (let last = [-1, -1], now = await state(); now[0] !== last[0] || now[1] !== last[1] || (now[0] > 0 && now[1] < now[0]);) {
      await this.page.waitForTimeout(120);
      [last, now] = [now, await state()];
    }
  }

  /// Drops files given as {name: text or Buffer} on the page.
  async drop(files) {
    const data = await this.page.evaluateHandle(list => {
      const transfer = new DataTransfer();
      for (const [name, base64] of list) transfer.items.add(new File([Uint8Array.from(atob(base64), c => c.charCodeAt(0))], name));
      return transfer;
    }, Object.entries(files).map(([name, content]) => [name, Buffer.from(content).toString('base64')]));
    await this.page.dispatchEvent('body', 'drop', { dataTransfer: data });
    await this.page.waitForTimeout(100);
    await this.settled();
  }

  text(selector) {
    return this.page.locator(selector).first().innerText();
  }

  texts(selector) {
    return this.page.locator(selector).allInnerTexts();
  }

  /// One figure of the summary strip.
  summary(name) {
    return this.page.locator('.summary div', { has: this.page.locator(`dt:text-is("${name}")`) }).locator('dd').innerText();
  }

  selectedName() {
    return this.text('.diagnosis h3').then(text => text.trim());
  }

  async slide(label, position) {
    const slider = this.page.getByRole('slider', { name: label, exact: true });
    await slider.evaluate((element, to) => {
      element.value = String(to);
      element.dispatchEvent(new Event('input', { bubbles: true }));
    }, position);
    await this.settled();
  }

  async download(item) {
    await this.page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([this.page.waitForEvent('download'), this.page.locator('.menu-panel .item', { hasText: item }).first().click()]);
    return { name: download.suggestedFilename(), path: await download.path() };
  }
}

/// Counts checks; a failed one is told at once.
export class Checks {
  passed = 0;
  failed = 0;

  constructor(theme) {
    this.theme = theme;
  }

  that(what, holds, found = '') {
    if (holds) ++this.passed;
    else {
      ++this.failed;
      console.log(`FAILED ${this.theme}: ${what}${found === '' ? '' : `\n       found: ${typeof found === 'string' ? found : JSON.stringify(found)}`}`);
    }
  }

  equal(what, found, expected) {
    this.that(what, JSON.stringify(found) === JSON.stringify(expected), `${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`);
  }
}

export const requireDist = () => {
  if (!existsSync(join(dist, 'index.html'))) throw new Error(`${dist} is not built: run tools/test or tools/run`);
};
