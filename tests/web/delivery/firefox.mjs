// The page in Firefox: puppeteer drives it by WebDriver BiDi, behind as much of Playwright's interface as `Page` and the walk use. Elements
// are found by role and name within the page, by Testing Library.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { countRequests, fromWeb, Page, passDoors, PATIENCE_MS, url } from '../browser.mjs';

/** Where it is; undefined: it is not installed. */
export const firefox = [process.env.FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox'].find(
  path => path && existsSync(path),
);

const finder = join(fromWeb.resolve('@testing-library/dom'), '../@testing-library/dom.umd.min.js');

/** Starts a browser: `open` opens a page in it at an address of the site's (or a whole one), `end` ends it. */
export async function startFirefox(viewport) {
  const downloads = await mkdtemp(join(tmpdir(), 'roofline-downloads-'));
  const browser = await fromWeb('puppeteer-core').launch({
    browser: 'firefox',
    executablePath: firefox,
    defaultViewport: viewport,
    extraPrefsFirefox: { 'browser.download.folderList': 2, 'browser.download.dir': downloads },
  });
  const library = await readFile(finder, 'utf8');
  const open = async (address = '', { firstVisit = false } = {}) => {
    const context = await browser.createBrowserContext();
    const own = await context.newPage();
    await own.evaluateOnNewDocument(countRequests);
    if (!firstVisit) await own.evaluateOnNewDocument(passDoors);
    const page = new Page(new Tab(own, downloads, library), context);
    await own.goto(/^\w+:/.test(address) ? address : url + address);
    await page.painted();
    return page;
  };
  const end = async () => {
    await browser.close();
    await rm(downloads, { recursive: true });
  };
  return { open, end };
}

/** Playwright's Locator: what a chain of steps finds, anew at each use. */
class Locator {
  constructor(tab, steps = []) {
    Object.assign(this, { tab, steps });
  }
  step(step) {
    return new Locator(this.tab, [...this.steps, step]);
  }
  getByRole(role, { name, exact, ...state } = {}) {
    return this.step({ role, state, name: pattern(name, exact) });
  }
  getByLabel(text, { exact } = {}) {
    return this.step({ label: pattern(text, exact) });
  }
  getByText(text, { exact } = {}) {
    return this.step({ text: pattern(text, exact) });
  }
  locator(selector) {
    return this.step({ selector });
  }
  filter({ hasText, has }) {
    return this.step(has ? { has: has.steps } : { hasText: pattern(hasText) });
  }
  nth(place) {
    return this.step({ place });
  }
  first() {
    return this.nth(0);
  }
  last() {
    return this.nth(-1);
  }

  count() {
    return this.ofAll(elements => elements.length);
  }
  allInnerTexts() {
    return this.ofAll(elements => elements.map(element => element.innerText));
  }
  async ofAll(work) {
    const all = await this.tab.find(this.steps);
    const result = await all.evaluate(work);
    await all.dispose();
    return result;
  }

  isVisible() {
    return this.ofAll(elements => elements.some(element => element.getClientRects().length > 0));
  }

  /** The first element, as soon as there is one. */
  async element() {
    for (const start = performance.now(); performance.now() - start < PATIENCE_MS; await pause(40)) {
      const all = await this.tab.find(this.steps);
      const first = (await all.evaluateHandle(elements => elements[0] ?? null)).asElement();
      await all.dispose();
      if (first) return first;
    }
    throw new Error(`there is no ${JSON.stringify(this.steps)}`);
  }
  async waitFor() {
    await (await this.element()).dispose();
  }
  async evaluate(work, argument) {
    return (await this.element()).evaluate(work, argument);
  }
  innerText() {
    return this.evaluate(element => element.innerText);
  }
  textContent() {
    return this.evaluate(element => element.textContent);
  }
  inputValue() {
    return this.evaluate(element => element.value);
  }
  getAttribute(name) {
    return this.evaluate((element, attribute) => element.getAttribute(attribute), name);
  }
  async click() {
    const element = await this.element();
    await element.scrollIntoView();
    await element.click();
  }
  /** As if typed over what is there. */
  fill(value) {
    return this.evaluate((element, text) => {
      element.focus();
      element.select();
      document.execCommand(text ? 'insertText' : 'delete', false, text);
    }, value);
  }
  async press(keys) {
    await this.evaluate(element => element.focus());
    await this.tab.keyboard.press(keys);
  }
  selectOption({ label }) {
    return this.evaluate((element, wanted) => {
      element.value = [...element.options].find(option => option.label === wanted).value;
      element.dispatchEvent(new Event('input', { bubbles: true }));
      element.dispatchEvent(new Event('change', { bubbles: true }));
    }, label);
  }
}

/** Playwright's Page: a Locator of everything, and what concerns the tab as a whole. */
class Tab extends Locator {
  constructor(own, downloads, library) {
    super();
    Object.assign(this, { own, downloads, library, tab: this });
  }
  on(event, listener) {
    this.own.on(event, listener);
  }
  url() {
    return this.own.url();
  }
  reload() {
    return this.own.reload();
  }
  evaluate(work, argument) {
    return this.own.evaluate(work, argument);
  }
  evaluateHandle(work, argument) {
    return this.own.evaluateHandle(work, argument);
  }
  waitForFunction(condition, argument, options) {
    return this.own.waitForFunction(condition, options, argument);
  }
  dispatchEvent(selector, type, { dataTransfer }) {
    const dispatch = (at, of, transfer) =>
      document.querySelector(at).dispatchEvent(
        new DragEvent(of, {
          bubbles: true,
          cancelable: true,
          dataTransfer: transfer,
        }),
      );
    return this.own.evaluate(dispatch, selector, type, dataTransfer);
  }
  keyboard = {
    press: async keys => {
      const { keyboard } = this.own;
      const [key, ...held] = keys.split('+').reverse();
      for (const each of held) await keyboard.down(each);
      await keyboard.press(held.includes('Shift') ? key.toUpperCase() : key);
      for (const each of held) await keyboard.up(each);
    },
  };
  /** The next file that is saved. */
  async waitForEvent(event) {
    if (event !== 'download') throw new Error(`no ${event} is waited for here`);
    const before = readdirSync(this.downloads);
    // Firefox takes the name with an empty file first, writes to a .part beside it, and moves that over the name when it is whole.
    const whole = path => !existsSync(`${path}.part`) && statSync(path).size > 0;
    for (const start = performance.now(); performance.now() - start < PATIENCE_MS; await pause(100)) {
      const name = readdirSync(this.downloads).find(each => !before.includes(each) && !each.endsWith('.part'));
      if (name && whole(join(this.downloads, name)))
        return {
          suggestedFilename: () => name,
          path: () => join(this.downloads, name),
        };
    }
    throw new Error('nothing was saved');
  }
  /** A handle of all the elements that the steps find. */
  async find(steps) {
    if (!(await this.own.evaluate(() => 'TestingLibraryDom' in globalThis))) await this.own.evaluate(this.library);
    return this.own.evaluateHandle(found, steps);
  }
}

/** What a text is matched by, as it can be sent: whole, or as Playwright does without `exact`, any part in any case. */
function pattern(text, exact = false) {
  if (text === undefined) return undefined;
  if (text instanceof RegExp) return { source: text.source, flags: text.flags };
  const literal = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return exact ? { source: `^${literal}$`, flags: '' } : { source: literal, flags: 'i' };
}

/** In the page: the elements that the steps find, in the document's order. */
function found(steps) {
  const library = globalThis.TestingLibraryDom;
  const matcher = text => text && new RegExp(text.source, text.flags);
  // What a closed <details> folds away is hidden, which Testing Library does not know.
  const unfolded = element => {
    const folded = element.closest('details:not([open])');
    return !folded || folded.querySelector('summary').contains(element);
  };
  const within = (roots, step) => {
    const { role, state, name, label, text, selector, hasText, has, place } = step;
    const each = find => [...new Set(roots.flatMap(root => [...find(root)]))];
    if (role)
      return each(root => library.queryAllByRole(root, role, { ...state, name: matcher(name) })).filter(unfolded);
    if (label) return each(root => library.queryAllByLabelText(root, matcher(label)));
    if (text) return each(root => library.queryAllByText(root, matcher(text)));
    if (selector) return each(root => root.querySelectorAll(selector));
    if (hasText) return roots.filter(root => matcher(hasText).test(root.textContent.replace(/\s+/g, ' ').trim()));
    if (has) return roots.filter(root => has.reduce(within, [root]).length > 0);
    return roots.slice(place).slice(0, 1);
  };
  return steps.reduce(within, [document.documentElement]);
}
