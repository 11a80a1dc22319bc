// Somebody with a question, who finds things by the words that are on the page: roles, names and text.
import assert from 'node:assert/strict';
import { check } from '../harness.mjs';
import { textOf } from './core.mjs';

const MOST_DECISIONS = 3;

/** A visit to a page, with what the visitor had to decide. */
export class Visitor {
  decisions = [];

  constructor(page) {
    this.page = page;
    this.tab = page.page;
  }

  /**
   * A choice that the task does not make by itself: a door, a tab, a control, a command. To drop the file that is asked about, or to type a
   * number that the task gives into the field of its name, is none.
   */
  async decides(what, how) {
    this.decisions.push(what);
    assert.ok(this.decisions.length <= MOST_DECISIONS, `too many decisions: ${this.decisions.join(', ')}`);
    await how();
    await this.page.settled();
  }

  press(name) {
    return this.decides(name, () => this.tab.getByRole('button', { name, exact: true }).first().click());
  }

  shows(tab) {
    return this.decides(tab, () => this.tab.getByRole('tab', { name: tab, exact: true }).click());
  }

  /** Types a given number into its field. */
  async types(label, value) {
    const field = this.tab.getByLabel(label, { exact: true });
    await field.fill(String(value));
    await this.page.settled();
  }

  /** Opens the panel of changes, which is on the screen unless that is narrow. */
  async change() {
    const sheet = this.tab
      .getByRole('navigation', { name: 'Panels' })
      .getByRole('button', { name: 'Change', exact: true });
    if (await sheet.isVisible()) await this.decides('Change', () => sheet.click());
  }

  /** The headline is the core's finding. */
  async reads(finding, what = 'the headline is the answer of the core') {
    const expected = textOf(finding).replaceAll('?', ' ').trim();
    await check(what, async () => assert.equal(await this.page.sentence(), expected));
  }

  async leaves() {
    this.page.assertQuiet();
    await this.page.close();
  }
}
