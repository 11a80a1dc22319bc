// What the page's tests share: pages in a browser that ends with them, and assertions that wait.
import { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { end, PATIENCE_MS } from './browser.mjs';

export { addSwitches, dist, fromWeb, openPage, Page, PATIENCE_MS, root, serve, url } from './browser.mjs';

after(end);

/** Repeats an assertion until it holds: what a page shows follows what was done a moment later. */
export async function check(what, assertion) {
  for (const start = performance.now(); ; ) {
    try {
      return await assertion();
    } catch (error) {
      if (performance.now() - start > PATIENCE_MS) {
        error.message = `${what}: ${error.message}`;
        throw error;
      }
    }
    await pause(40);
  }
}
