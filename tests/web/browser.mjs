// A static server for the built page, a headless browser, and pages in it.
import assert from 'node:assert/strict';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const dist = process.env.DIST ?? join(root, 'dist');
export const fromWeb = createRequire(join(root, 'web/package.json'));
export const PATIENCE_MS = 60_000; // for whatever a page is to show: only what fails takes it
const { chromium } = fromWeb('playwright-core');

if (!existsSync(join(dist, 'index.html'))) throw new Error(`${dist} is not built: run tools/test or tools/run`);

const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
};

/** Serves the page under a sub-path, as a project site would. `live` answers the routes of `roofline serve`; `compress`: with gzip, each file compressed once. */
export async function serve(live = null, compress = false) {
  const compressed = new Map();
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://x').pathname);
    if (!path.startsWith('/sub/path/')) return void response.writeHead(404).end();
    const name = path.slice('/sub/path/'.length) || 'index.html';
    if (name.startsWith('live/')) return live ? live(name, response) : void response.writeHead(404).end();
    const file = join(dist, normalize(name));
    if (!file.startsWith(dist) || !(await stat(file).catch(() => null))?.isFile())
      return void response.writeHead(404).end();
    response.writeHead(200, {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      ...(live && { 'server-timing': 'roofline-serve' }),
      ...(compress && { 'content-encoding': 'gzip' }),
    });
    if (!compress) return void createReadStream(file).pipe(response);
    if (!compressed.has(file)) compressed.set(file, gzipSync(readFileSync(file), { level: 9 }));
    response.end(compressed.get(file));
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/sub/path/`,
    close: () => server.close(() => {}) && server.closeAllConnections(),
  };
}

const server = await serve();
let browser = null; // started by the first page
const switches = ['--enable-precise-memory-info'];
/** More switches of Chromium, before the first page. */
export const addSwitches = (...more) => switches.push(...more);
/** Where the page is served. */
export const url = server.url;
/** Ends server and browser. */
export async function end() {
  await (await browser)?.close();
  server.close();
}

/** In the page, before its scripts: what it still waits for of its worker and its server. `held`: milliseconds that a slow worker takes to hear. */
export function countRequests() {
  const waits = (globalThis.waits = { pending: new Set(), asked: 0, held: 0 });
  const ask = request => (++waits.asked, waits.pending.add(request), request);
  const ofWorker = new WeakMap(); // its requests by their ids
  const { postMessage, terminate } = Worker.prototype;
  const drop = requests => {
    for (const request of requests?.values() ?? []) waits.pending.delete(request);
  };
  Worker.prototype.postMessage = function (message, ...rest) {
    if (!ofWorker.has(this)) {
      const requests = new Map();
      ofWorker.set(this, requests);
      this.addEventListener('message', ({ data }) => waits.pending.delete(requests.get(data?.id)));
    }
    // When the proxy of a worker that has ended is collected, Comlink releases it: nobody answers that.
    if (message?.id && message.path) ofWorker.get(this).set(message.id, ask({ message: message.path.join('.') }));
    const post = () => postMessage.call(this, message, ...rest);
    waits.held ? setTimeout(post, waits.held) : post();
  };
  Worker.prototype.terminate = function () {
    drop(ofWorker.get(this));
    terminate.call(this);
  };
  const { fetch } = globalThis;
  globalThis.fetch = async (...args) => {
    const request = ask({ message: String(args[0]) });
    try {
      const response = await fetch(...args);
      await response.clone().blob();
      return response;
    } finally {
      waits.pending.delete(request);
    }
  };
}

/** In the page: this person has been here before. */
export function passDoors() {
  try {
    localStorage.setItem('roofline.doorsTaken', 'true');
  } catch {
    // a page that may keep nothing
  }
}

/**
 * A page at an address relative to the site's (or a whole one), once the core has answered; `wait: false`: as soon as it is asked for.
 * `firstVisit`: the three doors are over the sample. `clock`: time passes as always, and by page.clock as the test says.
 */
export async function openPage(address = '', options = {}) {
  const { init, route, clock = false, wait = true, firstVisit = false, ...context } = options;
  browser ??= chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: switches,
  });
  const own = await (await browser).newContext({
    viewport: { width: 1280, height: 720 },
    acceptDownloads: true,
    serviceWorkers: 'block', // a test of one page is not to keep it for the next
    ...context,
  });
  own.setDefaultTimeout(PATIENCE_MS);
  await own.addInitScript(countRequests);
  if (!firstVisit) await own.addInitScript(passDoors);
  const page = new Page(await own.newPage(), own);
  if (clock) await (page.clock = page.page.clock).install();
  if (init) await page.page.addInitScript(init);
  if (route) await page.page.route(...route);
  await page.page.goto(/^\w+:/.test(address) ? address : url + address, { waitUntil: wait ? 'load' : 'commit' });
  if (wait) await page.painted();
  return page;
}

/** One page under test, with what the browser complained about. */
export class Page {
  complaints = [];

  constructor(page, context) {
    Object.assign(this, { page, context });
    page.on('console', message => message.type() === 'error' && this.complaints.push(message.text()));
    page.on('pageerror', error => this.complaints.push(String(error)));
  }

  close() {
    return this.context.close();
  }

  /** From here on, how long the main thread is held at a stretch. */
  watchLongTasks() {
    return this.page.evaluate(() => {
      globalThis.longestTask = 0;
      if (globalThis.taskWatch) return;
      globalThis.taskWatch = new PerformanceObserver(list => {
        for (const { duration } of list.getEntries())
          globalThis.longestTask = Math.max(globalThis.longestTask, duration);
      });
      globalThis.taskWatch.observe({ type: 'longtask' });
    });
  }

  /** The longest since then, in milliseconds; 0: none of 50 or more. */
  longestTask() {
    return this.page.evaluate(() => globalThis.longestTask);
  }

  /** The roofline's canvas; its data-* attributes say what is drawn. */
  get chart() {
    return this.page.getByRole('img', { name: /^Roofline chart/ });
  }

  /** Positions on markers, in CSS pixels from the chart's left and top: at most `most`, left to right, at least a marker apart. */
  async markers(most = 1) {
    const found = await this.chart.evaluate((canvas, most) => {
      const { left, top, width, height } = canvas.getBoundingClientRect();
      const point = (type, x, y) =>
        canvas.dispatchEvent(new PointerEvent(type, { clientX: left + x, clientY: top + y, pointerType: 'mouse' }));
      const places = [];
      for (let x = 60; x < width - 14 && places.length < most; x += 4)
        for (let y = 30; y < height - 40; y += 4) {
          point('pointermove', x, y);
          if (canvas.style.cursor !== 'pointer') continue;
          places.push({ x, y });
          x += 24;
          break;
        }
      point('pointerleave', 0, 0);
      return places;
    }, most);
    assert.ok(found.length > 0, 'the chart has no marker');
    return found;
  }

  /** What matters, in one sentence. */
  get finding() {
    return this.page.getByRole('main').getByRole('heading', { level: 1 });
  }

  headline() {
    return this.finding.innerText();
  }

  /** The same without the buttons behind its figures, which ask how they come about. */
  async sentence() {
    const text = (await this.headline()).replaceAll('?', ' ').replace(/\s+/g, ' ');
    return text.replace(/ (?=[,;:.)])/g, '').trim();
  }

  /** What is open, by its name or the sample's title. */
  get sourceName() {
    return this.page.locator('.source-chip .source-name');
  }

  /** Opens what is behind the source's chip, the machine's, Compare or Filter, and hands back its panel. */
  async behind(what) {
    const menu = this.page.locator(
      { source: '.source-chip', machine: '.machine-menu', compare: '.compare-menu', filter: '.filter-menu' }[what],
    );
    const button = menu.locator(':scope > button');
    if ((await button.getAttribute('aria-expanded')) !== 'true') await button.click();
    return menu.locator('.menu-panel');
  }

  /** What is behind a chip says. */
  async told(what) {
    const text = await (await this.behind(what)).innerText();
    await this.page.keyboard.press('Escape');
    return text;
  }

  /** Opens a sample, the tour or another source from behind the chip, by its name. */
  async openFrom(name) {
    await (await this.behind('source')).getByRole('button', { name }).first().click();
    await this.settled();
  }

  /** Shows the panel of changes, which a narrow page has as a sheet. */
  async change() {
    const sheet = this.page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name: 'Change' });
    if ((await sheet.isVisible()) && (await sheet.getAttribute('aria-expanded')) !== 'true') await sheet.click();
    return this.inputs;
  }

  /** The view that is shown, without the table. */
  get view() {
    return this.page.getByRole('main').getByRole('region', { name: / view$/ });
  }

  /** The table of operations, its head and its rows. */
  get operations() {
    return this.page.getByRole('grid', { name: 'Operations' });
  }

  /** The head of a table, and its rows without those of head and foot. */
  head(table) {
    return table.getByRole('columnheader');
  }
  rows(table) {
    return table.getByRole('rowgroup').nth(1).getByRole('row');
  }

  /** The cells of a table's column, by its head, and what they say. */
  async cells(table, name) {
    const heads = (await this.head(table).allInnerTexts()).map(text => text.replace(/[▴▾]/, '').trim());
    return this.rows(table).locator(`> :nth-child(${heads.indexOf(name) + 1})`);
  }
  async column(table, name) {
    return (await (await this.cells(table, name)).allInnerTexts()).map(text => text.trim());
  }

  /** The panel on the right. */
  get diagnosis() {
    return this.page.getByRole('complementary', { name: 'Diagnosis' });
  }

  /** The panel on the left. */
  get inputs() {
    return this.page.getByRole('complementary', { name: 'Change', exact: true });
  }

  /** The selected operation's figures. */
  get figures() {
    return this.page.getByLabel('Figures', { exact: true });
  }

  get tooltip() {
    return this.page.getByRole('tooltip');
  }

  get legend() {
    return this.page.getByRole('region', { name: 'Legend', exact: true });
  }

  /** Errors, hints and progress above the page. */
  get notices() {
    return this.page.getByRole('region', { name: 'Notices', exact: true });
  }

  /** What a region of the page says, by its name. */
  region(name) {
    return this.page.getByRole('region', { name, exact: true }).innerText();
  }

  /** The error that is shown first. */
  alert() {
    return this.page.getByRole('alert').first().innerText();
  }

  button(name) {
    return this.page.getByRole('button', { name, exact: typeof name === 'string' });
  }

  /** Shows the selected operation's panel, which a narrow page has as a sheet. */
  async inspect() {
    const sheet = this.page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name: 'Diagnosis' });
    if ((await sheet.isVisible()) && (await sheet.getAttribute('aria-expanded')) !== 'true') await sheet.click();
  }

  /** A row of the table of operations, by what it says. */
  tableRow(name) {
    return this.page.getByRole('grid', { name: 'Operations' }).getByRole('row').filter({ hasText: name }).first();
  }

  /** The operations that the table shows, in its order. */
  async tableNames() {
    const cells = this.rows(this.operations).locator('td:first-child');
    return (await cells.allInnerTexts()).map(text => text.trim()).filter(Boolean);
  }

  get tabs() {
    return this.page.getByRole('tab');
  }

  /** The tab that is shown, or the view of More in its place. */
  async tab() {
    const chosen = this.page.getByRole('tab', { selected: true });
    return (await chosen.count()) ? chosen.innerText() : this.text('.more-views > button');
  }

  /** Opens a tab, or a view under More, by its name; 'TAB: CHART' opens one of its charts. */
  async show(view) {
    const [name, chart] = view.split(': ');
    const tab = this.page.getByRole('tab', { name, exact: true });
    if (await tab.count()) await tab.click();
    else {
      await this.page.locator('.more-views > button').click();
      await this.page
        .locator('.more-views .item')
        .filter({ has: this.page.getByText(name, { exact: true }) })
        .click();
    }
    if (chart) {
      await this.settled();
      const choice = this.page.getByRole('main').getByRole('group', { name: 'Chart' });
      const button = choice.getByRole('button', { name: chart, exact: true });
      if (await button.count()) await button.click();
      await this.page.getByRole('region', { name: `${view} view`, exact: true }).waitFor();
    }
    await this.settled();
  }

  /** The number of the frame that the chart shows; 0 where another view stands in its place. */
  revision() {
    return this.page.evaluate(() => Number(document.querySelector('.chart canvas')?.dataset.painted ?? 0));
  }

  async painted() {
    await this.page.locator('main[aria-busy="false"][data-revision]').waitFor(); // the core has answered
    await this.page.waitForFunction(() =>
      [...document.querySelectorAll('.chart canvas')].every(canvas => canvas.dataset.painted > 0),
    );
    await this.settled();
  }

  /** Until the core and the server have answered everything, and all parts of the page show the newest frame. */
  settled() {
    return this.page.evaluate(
      async most => {
        const { waits } = globalThis;
        const calm = 6; // frames in which nothing is asked: the page asks again for what an answer changes
        const frame = () =>
          new Promise(resolve => (document.hidden ? setTimeout(resolve, 16) : requestAnimationFrame(resolve)));
        const shown = () => {
          if (document.querySelector('.view [aria-busy="true"]')) return false; // a view that is being loaded
          const painted = Number(document.querySelector('.chart canvas')?.dataset.painted ?? 0);
          return Number(document.querySelector('main')?.dataset.revision ?? 0) >= painted;
        };
        for (let frames = 0, quiet = 0, asked = waits.asked; quiet < calm; ++frames) {
          await frame();
          quiet = waits.pending.size === 0 && waits.asked === asked && shown() ? quiet + 1 : 0;
          asked = waits.asked;
          if (frames === most)
            throw new Error(`not settled: ${[...waits.pending].map(({ message }) => message).join()} is not answered`);
        }
      },
      (PATIENCE_MS * 60) / 1000,
    );
  }

  /** Drops files given as {name: text or Buffer} on the page. */
  async drop(files) {
    const data = await this.page.evaluateHandle(
      list => {
        const transfer = new DataTransfer();
        for (const [name, base64] of list)
          transfer.items.add(new File([Uint8Array.from(atob(base64), c => c.charCodeAt(0))], name));
        return transfer;
      },
      Object.entries(files).map(([name, content]) => [name, Buffer.from(content).toString('base64')]),
    );
    await this.page.dispatchEvent('body', 'drop', { dataTransfer: data });
    await this.settled();
  }

  /** The text of the first of some elements: a locator, else a selector. */
  text(of) {
    return this.located(of).first().innerText();
  }

  texts(of) {
    return this.located(of).allInnerTexts();
  }

  located(of) {
    return typeof of === 'string' ? this.page.locator(of) : of;
  }

  /** All that the page says, and what stands in its fields. */
  words() {
    return this.page.evaluate(() =>
      [document.body.innerText, ...Array.from(document.querySelectorAll('input'), ({ value }) => value)].join('\n'),
    );
  }

  /** The tiles under the headline. */
  get totals() {
    return this.page.getByLabel('Totals of the operations shown');
  }

  /** One figure of them. */
  async summary(name) {
    const tile = this.totals.getByRole('term').filter({ hasText: new RegExp(`^${name}`) });
    const text = await tile.evaluate(term => term.nextElementSibling.firstChild.textContent);
    return text.trim();
  }

  /** How many operations, or formats, the table lists: "4", "1 of 4". */
  async count() {
    return (await this.page.locator('.drawer .count').innerText()).replace(/ [a-z]+$/, '');
  }

  selectedName() {
    return this.text(this.diagnosis.getByRole('heading', { level: 3 })).then(text => text.trim());
  }

  async slide(label, position) {
    await this.change();
    await this.move(label, position);
    await this.settled();
  }

  /** Moves a slider, and does not wait for what follows. */
  move(label, position) {
    const slider = this.page.getByRole('slider', { name: label, exact: true });
    return slider.evaluate((element, to) => {
      element.value = String(to);
      element.dispatchEvent(new Event('input', { bubbles: true }));
    }, position);
  }

  /** The link, once the address holds what the page shows. */
  async link() {
    await this.committed();
    return this.page.url();
  }

  /** Until the last change is in the address and a step of the history, once changes have paused for 300 ms. */
  async committed() {
    await this.clock?.runFor(300);
    await this.page.waitForFunction(() => document.documentElement.dataset.address === 'written');
  }

  /** What an item of the Export menu saves. */
  async download(item) {
    await this.button('Export').click();
    return this.saved(
      this.page
        .getByRole('button')
        .filter({ has: this.page.getByText(item, { exact: true }) })
        .first(),
    );
  }

  /** What a picture of the view is saved as: 'PNG' or 'SVG'. */
  async picture(kind) {
    await this.button('Export').click();
    await this.button(/^Picture…/).click();
    const saved = await this.saved(this.button(`Save ${kind}`));
    await this.button('Close').click();
    return saved;
  }

  async saved(button) {
    const [download] = await Promise.all([this.page.waitForEvent('download'), button.click()]);
    return { name: download.suggestedFilename(), path: await download.path() };
  }

  /** The page has made the browser complain about nothing. */
  assertQuiet() {
    assert.deepEqual(this.complaints, []);
  }
}
