// What the page's tests share: pages in a browser that ends with them, and assertions that wait.
import { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { end } from './browser.mjs';

export { dist, fromWeb, openPage, Page, root, serve, url } from './browser.mjs';

after(end);

/** Repeats an assertion until it holds, for at most that long: what a page shows follows what was done a moment later. */
export async function check(what, assertion, timeout = 5000) {
  for (const start = performance.now(); ; ) {
    try {
      return await assertion();
    } catch (error) {
      if (performance.now() - start > timeout) {
        error.message = `${what}: ${error.message}`;
        throw error;
      }
    }
    await pause(40);
  }
}
